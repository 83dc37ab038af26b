// What a child gets from the process that asks for it, unless it asks otherwise: umask, nice, open files.
import { readFileSync } from "node:fs";
import { getPriority } from "node:os";

export interface CallerLimits {
  readonly umask: number;
  readonly nice: number;
  /** Undefined where the system does not tell. */
  readonly nofile: { readonly soft: string; readonly hard: string } | undefined;
}

let cached: CallerLimits | undefined;

/** Read once: three files for every start would cost a tenth of the start. */
export function callerLimits(): CallerLimits {
  cached ??= readCallerLimits(readFile("/proc/self/status"), readFile("/proc/self/limits"));
  return cached;
}

/** From the texts of /proc/self/status and /proc/self/limits. */
export function readCallerLimits(status: string, limits: string): CallerLimits {
  const umask = /^Umask:\s*([0-7]+)$/m.exec(status)?.[1];
  const nofile = /^Max open files\s+(\S+)\s+(\S+)/m.exec(limits);
  return {
    // process.umask() sets and restores it: another thread's file made in between would be open to everybody.
    umask: umask === undefined ? process.umask() : Number.parseInt(umask, 8),
    nice: getPriority(),
    nofile: nofile === null ? undefined : { soft: limitWord(nofile[1]), hard: limitWord(nofile[2]) },
  };
}

function limitWord(word: string | undefined): string {
  return word === undefined || word === "unlimited" ? "infinity" : word;
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // no /proc (macOS): the patterns then match nothing
  }
}
