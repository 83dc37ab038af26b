// Waits for the end of a process that is nobody's child here.
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const pollMs = 10;

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true; // no such process, or the number is somebody else's now
  }
  try {
    // A zombie runs nothing; where process 1 reaps nobody it stays for ever.
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return process.platform === "linux"; // gone between the two looks; elsewhere there is no /proc
  }
}

/** False when it is still there after the timeout. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  while (!isGone(pid)) {
    if (performance.now() >= endMs) return false;
    await delay(pollMs);
  }
  return true;
}
