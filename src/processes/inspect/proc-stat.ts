// One line of /proc/PID/stat, read into what we use of it.
import { readFileSync } from "node:fs";

export interface ProcStat {
  readonly pid: number;
  /** At most 15 characters, as the kernel keeps it. */
  readonly name: string;
  /** One letter: R, S, D, Z, T, … */
  readonly state: string;
  readonly parentPid: number;
  readonly group: number;
  /** Number of its terminal; 0 without one. */
  readonly terminal: number;
  /** The group in the foreground of its terminal; -1 without one. */
  readonly foregroundGroup: number;
  /** Own time and that of children it waited for. */
  readonly cpuMs: number;
  readonly threads: number;
  /** Clock ticks since boot. */
  readonly startTicks: number;
  readonly memoryBytes: number;
}

// USER_HZ is 100 on every Linux that Node runs on.
export const msPerTick = 10;

let cachedPageBytes: number | undefined;

/** From the auxiliary vector, entry AT_PAGESZ: arm64 kernels have pages of 4, 16 or 64 KiB. */
function pageBytes(): number {
  cachedPageBytes ??= readPageBytes() ?? 4_096;
  return cachedPageBytes;
}

function readPageBytes(): number | undefined {
  try {
    const vector = readFileSync("/proc/self/auxv");
    for (let at = 0; at + 16 <= vector.length; at += 16) {
      if (vector.readBigUInt64LE(at) === 6n) return Number(vector.readBigUInt64LE(at + 8));
    }
  } catch {
    return undefined; // no /proc: then there is nothing to multiply either
  }
  return undefined;
}

/** Undefined for what is no such line. The name may hold spaces and parentheses, so fields count from the last `)`. */
export function parseProcStat(text: string): ProcStat | undefined {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return undefined;
  // After the name: field 3 of proc(5) has index 0.
  const fields = text.slice(close + 2).split(" ");
  const field = (number: number): number => Number(fields[number - 3] ?? 0);
  return {
    pid: Number(text.slice(0, open)),
    name: text.slice(open + 1, close),
    state: fields[0] ?? "",
    parentPid: field(4),
    group: field(5),
    terminal: field(7),
    foregroundGroup: field(8),
    cpuMs: (field(14) + field(15) + field(16) + field(17)) * msPerTick,
    threads: field(20),
    startTicks: field(22),
    memoryBytes: field(24) * pageBytes(),
  };
}

/** It has ended and only waits to be reaped. */
export function isDead({ state }: ProcStat): boolean {
  return state === "Z" || state === "X";
}
