// Who a process is: a pid alone is reused, a pid with its kernel start time and the boot id is not.
import { readFileSync } from "node:fs";
import { parseText, textNumber, textValue } from "./text-format.ts";

export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat: clock ticks since boot. */
  readonly startTime: number;
  readonly bootId: string;
}

export interface ProcessStat {
  /** One letter: R, S, D, Z, T, … */
  readonly state: string;
  readonly startTime: number;
}

/** Reads the text of /proc/PID/stat. The name in it may hold spaces and parentheses, so it counts from the last `)`. */
export function parseProcessStat(text: string): ProcessStat | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 1).split(" ");
  // After the name: "", state (field 3), …, start time (field 22).
  const [, state] = fields;
  const startTime = Number(fields[20]);
  return state && Number.isSafeInteger(startTime) && startTime >= 0 ? { state, startTime } : undefined;
}

/** Undefined when there is no such process, or no /proc. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const text = readSmallFile(`/proc/${pid}/stat`);
  return text === undefined ? undefined : parseProcessStat(text);
}

let cachedBootId: string | undefined;

/** Of the running kernel; empty where the kernel does not tell (macOS), which equals no recorded one. */
export function currentBootId(): string {
  cachedBootId ??= readSmallFile("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
  return cachedBootId;
}

/** Is exactly this process still there? A zombie is not: it has ended and only waits to be reaped. */
export function isRunning(identity: ProcessIdentity): boolean {
  if (identity.bootId === "" || identity.bootId !== currentBootId()) return false;
  const stat = readProcessStat(identity.pid);
  return (
    stat !== undefined && stat.startTime === identity.startTime && stat.state !== "Z" && stat.state !== "X"
  );
}

/** The identity that a `keeper` file or `launcher.lock` records; undefined if it is not whole. */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  const lines = parseText(text);
  const pid = textNumber(lines, "pid");
  const startTime = textNumber(lines, "start");
  const bootId = textValue(lines, "boot");
  if (pid === undefined || pid <= 0 || startTime === undefined || !bootId) return undefined;
  return { pid, startTime, bootId };
}

function readSmallFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // gone, or no /proc: both mean that nothing can be said about it
  }
}
