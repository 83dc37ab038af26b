// What the kernel says about processes that are nobody's child here: keepers, launchers, and what they started.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { isRunning, readProcessStat } from "../../src/util/process-identity.ts";
import { parseIdentity } from "../../src/keeper/identity.ts";

const deadlineMs = 20_000;

/** A zombie is not: it runs nothing, and process 1 may leave an orphaned one for seconds. */
export function isAlive(pid: number): boolean {
  const stat = readProcessStat(pid);
  return stat !== undefined && stat.state !== "Z" && stat.state !== "X";
}

export async function untilDead(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid), { timeout: deadlineMs, interval: 5 }).toBe(false);
}

/** SIGKILL to a process this test knows to be its own, and its death. */
export async function killNow(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  await untilDead(pid);
}

/** Sends SIGSTOP and waits until the kernel shows it: a stopped process reads nothing more. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await expect.poll(() => readProcessStat(pid)?.state, { timeout: deadlineMs, interval: 1 }).toBe("T");
}

export function thaw(pid: number): void {
  process.kill(pid, "SIGCONT");
}

/** The pid that the run's `keeper` file names, whether or not it lives. */
export function keeperPidOf(directory: string): number {
  return Number(/^pid (\d+)/m.exec(readFileSync(join(directory, "keeper"), "utf8"))?.[1]);
}

/** Waits for a living keeper other than the given one. */
export async function successorOf(directory: string, keeperPid: number): Promise<number> {
  const look = (): boolean => {
    const pid = keeperPidOf(directory);
    return pid !== keeperPid && isAlive(pid);
  };
  await expect.poll(look, { timeout: deadlineMs, interval: 5 }).toBe(true);
  return keeperPidOf(directory);
}

/** The launcher of a home; undefined when none lives. */
export function launcherPidOf(home: string): number | undefined {
  try {
    const text = readFileSync(join(home, "launcher.lock"), "utf8").replaceAll(/ +$/gm, "");
    const identity = parseIdentity(text);
    return identity !== undefined && isRunning(identity) ? identity.pid : undefined;
  } catch {
    return undefined; // no launcher has ever run here
  }
}

/** A file of /proc/PID as text. */
export function procFile(pid: number, name: string): string {
  return readFileSync(`/proc/${pid}/${name}`, "utf8");
}
