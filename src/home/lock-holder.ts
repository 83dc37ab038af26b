// Who holds the daemon's flock, seen without touching it: the kernel tells, for every open file of a process, the locks on
// it. Not /proc/locks: in a container it hides a lock whose taker has ended, and ours is taken by `keeper lock`.
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { currentPidNamespace } from "../util/process-identity.ts";

/** deleted: it holds the lock of a file that somebody removed since. unseen: we may not look, or there is no /proc. */
export type Hold = "held" | "deleted" | "none" | "unseen";

// Linux numbers it so since it has PID namespaces in /proc (PROC_PID_INIT_INO).
const firstPidNamespace = "pid:[4026531836]";
// As /proc names an open file whose last name was removed.
const deletedMark = " (deleted)";
const lockNames = /\/daemon\.lock(?: \(deleted\))?$/;

/** What one process has of the lock. */
export function holdOf(pid: number, lock: string): Hold {
  const folder = `/proc/${pid}/fd`;
  const names = namesIn(folder);
  if (names === undefined) return "unseen";
  // The name alone first: asking a file on a hung mount how it is would hang this, too.
  const named = names.filter((name) => lockNames.test(targetOf(`${folder}/${name}`)));
  const held = named.filter((name) => isFlocked(`/proc/${pid}/fdinfo/${name}`));
  if (held.some((name) => isSameFile(`${folder}/${name}`, lock))) return "held";
  if (held.length === 0) return "none";
  const deleted = realPathOf(lock) + deletedMark;
  return held.some((name) => targetOf(`${folder}/${name}`) === deleted) ? "deleted" : "none";
}

/** Among all processes that can be seen from here. */
export function findHolder(lock: string): number | undefined {
  if (statOf(lock) === undefined) return undefined;
  const pids = (namesIn("/proc") ?? []).filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.find((pid) => holdOf(pid, lock) === "held");
}

/** Is nothing hidden from us? Of other PID namespaces only the first one sees all, of other users only root. */
export function seesEveryProcess(): boolean {
  return process.getuid?.() === 0 && currentPidNamespace() === firstPidNamespace;
}

function isFlocked(path: string): boolean {
  try {
    return /^lock:.*\bFLOCK\b.*\bWRITE\b/m.test(readFileSync(path, "utf8"));
  } catch {
    return false; // closed since
  }
}

function isSameFile(one: string, other: string): boolean {
  const [first, second] = [statOf(one), statOf(other)];
  return first !== undefined && second !== undefined && first.dev === second.dev && first.ino === second.ino;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The file itself need not be there. */
function realPathOf(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return ""; // closed since
  }
}
