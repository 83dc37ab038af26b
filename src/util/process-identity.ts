// Who a process is: a pid alone is reused, a pid with its kernel start time and the boot id is not. A pid means something
// only inside its own PID namespace, so what is written for others names that too.
import { readFileSync, readlinkSync } from "node:fs";

export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat: clock ticks since boot. */
  readonly startTime: number;
  readonly bootId: string;
}

/** For a record that a process in another container may read. */
export interface SharedIdentity extends ProcessIdentity {
  /** As /proc/self/ns/pid names it; empty where there are none. */
  readonly pidNamespace: string;
}

export interface ProcessStat {
  /** One letter: R, S, D, Z, T, … */
  readonly state: string;
  readonly startTime: number;
}

/**
 * running; stopped by a signal (state T), so it does nothing until it is continued; gone, proven; unknown: the probe
 * failed, which proves nothing; foreign: of another PID namespace, where this pid is somebody else's.
 */
export type Liveness = "running" | "stopped" | "gone" | "unknown" | "foreign";

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

/** Of this process; empty where there are none. */
export function currentPidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Undefined when there is no such process, or it cannot be looked at. */
export function identityOf(pid: number): SharedIdentity | undefined {
  const stat = readProcessStat(pid);
  if (stat === undefined || isDead(stat)) return undefined;
  return { pid, startTime: stat.startTime, bootId: currentBootId(), pidNamespace: currentPidNamespace() };
}

/** What can be proven about exactly this process, without touching it. */
export function probeProcess(identity: ProcessIdentity | SharedIdentity): Liveness {
  const bootId = currentBootId();
  if (identity.bootId === "" || bootId === "") return probeByPid(identity.pid);
  if (identity.bootId !== bootId) return "gone"; // of an earlier boot; of another machine only its own lock can tell
  if ("pidNamespace" in identity && identity.pidNamespace !== currentPidNamespace()) return "foreign";
  const stat = readProcessStat(identity.pid);
  if (stat === undefined) return probeByPid(identity.pid);
  if (stat.startTime !== identity.startTime || isDead(stat)) return "gone";
  return stat.state === "T" || stat.state === "t" ? "stopped" : "running";
}

/** Is exactly this process still there? A zombie is not: it has ended and only waits to be reaped. */
export function isRunning(identity: ProcessIdentity): boolean {
  const liveness = probeProcess(identity);
  return liveness === "running" || liveness === "stopped";
}

/** Without a start time only its absence can be proven: whoever has the pid now may be another. */
function probeByPid(pid: number): Liveness {
  try {
    process.kill(pid, 0);
    return "unknown";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH" ? "gone" : "unknown";
  }
}

function isDead({ state }: ProcessStat): boolean {
  return state === "Z" || state === "X";
}

function readSmallFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // gone, hidden, or no /proc: the caller finds out which
  }
}
