// All processes of the machine in one pass over /proc, and from that the trees of ours. Blocking reads: this runs in a thread of its
// own, and the thread pool stays free for the daemon. Measured with 1,000 kept processes: 3 % of one processor.
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { isDead, parseProcStat, type ProcStat } from "../inspect/proc-stat.ts";

export interface ProcTable {
  readonly byPid: ReadonlyMap<number, ProcStat>;
  readonly children: ReadonlyMap<number, readonly ProcStat[]>;
}

export interface TreeFigures {
  readonly processes: number;
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** Of these, who may read from the terminal of the child; some have another one, as in tests of terminals. */
  readonly foreground: readonly number[];
}

// The line of a process is at most a few hundred bytes.
const buffer = Buffer.alloc(4_096);

/** Undefined where there is no /proc: the system does not tell. */
export function readProcTable(place = "/proc"): ProcTable | undefined {
  let names: string[];
  try {
    names = readdirSync(place);
  } catch {
    return undefined; // no /proc here
  }
  const byPid = new Map<number, ProcStat>();
  for (const name of names) {
    if (!/^\d/.test(name)) continue;
    const stat = parseProcStat(readSmall(`${place}/${name}/stat`));
    if (stat !== undefined) byPid.set(stat.pid, stat);
  }
  return byPid.size === 0 ? undefined : { byPid, children: Map.groupBy(byPid.values(), parentOf) };
}

function parentOf({ parentPid }: ProcStat): number {
  return parentPid;
}

function readSmall(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    return buffer.toString("latin1", 0, readSync(descriptor, buffer, 0, buffer.length, 0));
  } catch {
    return ""; // ended since the listing
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Of the child, all below it, and what the kernel gave to its keeper because the parent ended. */
export function treeFigures(
  { byPid, children }: ProcTable,
  child: number,
  keeper: number | undefined,
): TreeFigures {
  const first = byPid.get(child);
  const waiting = first === undefined ? [] : [first];
  if (keeper !== undefined && first?.parentPid === keeper) {
    waiting.push(...(children.get(keeper) ?? []).filter(({ pid }) => pid !== child));
  }
  let processes = 0;
  let cpuMs = 0;
  let memoryBytes = 0;
  const foreground: number[] = [];
  for (let stat = waiting.pop(); stat !== undefined; stat = waiting.pop()) {
    waiting.push(...(children.get(stat.pid) ?? []));
    if (isDead(stat)) continue;
    processes += 1;
    cpuMs += stat.cpuMs;
    memoryBytes += stat.memoryBytes;
    if (isInForeground(stat) && stat.terminal === first?.terminal) foreground.push(stat.pid);
  }
  return { processes, cpuMs, memoryBytes, foreground };
}

function isInForeground({ terminal, group, foregroundGroup }: ProcStat): boolean {
  return terminal !== 0 && group === foregroundGroup;
}
