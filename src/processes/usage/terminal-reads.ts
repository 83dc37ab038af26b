// Which processes are inside a read of their terminal. Blocking reads, for the thread of the samples.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isTerminalPath, readDescriptor } from "../inspect/input-wait.ts";

/** @param place where the system tells of processes */
export function readsTerminal(place: string, pid: number): boolean {
  return threadsOf(place, pid).some((thread) => {
    const descriptor = readDescriptor(callOf(`${place}/${pid}/task/${thread}/syscall`));
    return descriptor !== undefined && isTerminalPath(targetOf(`${place}/${pid}/fd/${descriptor}`));
  });
}

function threadsOf(place: string, pid: number): string[] {
  try {
    return readdirSync(`${place}/${pid}/task`);
  } catch {
    return []; // ended since
  }
}

function callOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // ended since, or somebody else's
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // closed since
  }
}
