// What the kernel knows of processes.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { memoryOf } from "../keeper/memory.ts";

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** User and system time so far, in milliseconds; children that were waited for are left out. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}

export function pssKiB(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + memoryOf(pid).pssKiB, 0);
}

/** Of all processes; one that goes while it is looked at does not count. */
export function pidsWhere(fits: (pid: number) => boolean): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return fits(pid);
    } catch {
      return false;
    }
  });
}
