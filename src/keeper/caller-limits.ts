// What a child gets from the process that asks for it, unless it asks otherwise: umask, nice, open files.
import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import type { ResourceLimit } from "./start-request.ts";

/** Set by bin/holdfast: Node raises its soft limit of open files as soon as it runs. */
const softNofileVariable = "HOLDFAST_SOFT_NOFILE";

export interface CallerLimits {
  readonly umask: number;
  readonly nice: number;
  /** Undefined where the system does not tell. */
  readonly nofile: ResourceLimit | undefined;
}

let cached: CallerLimits | undefined;

/** Read once: three files for every start would cost a tenth of the start. */
export function callerLimits(): CallerLimits {
  cached ??= readCallerLimits(
    readFile("/proc/self/status"),
    readFile("/proc/self/limits"),
    process.env[softNofileVariable],
  );
  return cached;
}

/** From the texts of /proc/self/status and /proc/self/limits, and the soft limit before Node raised it, if that is known. */
export function readCallerLimits(status: string, limits: string, softNofile?: string): CallerLimits {
  const umask = /^Umask:\s*([0-7]+)$/m.exec(status)?.[1];
  const nofile = /^Max open files\s+(\S+)\s+(\S+)/m.exec(limits);
  return {
    // process.umask() sets and restores it: another thread's file made in between would be open to everybody.
    umask: umask === undefined ? process.umask() : Number.parseInt(umask, 8),
    nice: getPriority(),
    nofile: nofile === null ? undefined : nofileOf(softNofile ?? nofile[1], nofile[2]),
  };
}

function nofileOf(soft: string | undefined, hard: string | undefined): ResourceLimit {
  const most = limitValue(hard);
  return { soft: smaller(limitValue(soft), most), hard: most };
}

/** The limit of another process, as far as this one may give it to a child: a hard limit cannot be raised. */
export function boundedNofile(wanted: ResourceLimit, own = callerLimits().nofile): ResourceLimit {
  const hard = smaller(wanted.hard, own?.hard ?? "infinity");
  return { soft: smaller(wanted.soft, hard), hard };
}

type LimitValue = ResourceLimit["soft"];

function smaller(first: LimitValue, second: LimitValue): LimitValue {
  if (first === "infinity") return second;
  return second === "infinity" ? first : Math.min(first, second);
}

/** A number, or what the kernel and shells call unlimited. */
function limitValue(word: string | undefined): LimitValue {
  return word !== undefined && /^\d{1,15}$/.test(word) ? Number(word) : "infinity";
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // no /proc (macOS): the patterns then match nothing
  }
}
