// How the daemon before this one ended. One that goes by itself says why in its status file and removes its record; of one that was
// killed both are left as they were. For its successor, which holds the lock and has not yet written files of its own.
import { statSync } from "node:fs";
import type { DaemonRecord, PreviousEnd, RuntimeStatus } from "../protocol/daemon.ts";
import { currentBootId } from "../util/process-identity.ts";
import { homeFiles } from "./files.ts";
import { isSameProcess, readRecord } from "./record.ts";
import { readStatusFile } from "./status-file.ts";

export interface LeftBehind {
  readonly record: DaemonRecord | undefined;
  readonly status: RuntimeStatus | undefined;
  /** When the log was last written; undefined when there is none. */
  readonly loggedAtMs: number | undefined;
  readonly bootId: string;
}

/** Undefined when none has run here, or nothing is left of it. */
export function findPreviousEnd(home: string): PreviousEnd | undefined {
  return previousEndOf({
    record: readRecord(home),
    status: readStatusFile(home),
    loggedAtMs: statSync(homeFiles(home).log, { throwIfNoEntry: false })?.mtimeMs,
    bootId: currentBootId(),
  });
}

export function previousEndOf({
  record,
  status,
  loggedAtMs = 0,
  bootId,
}: LeftBehind): PreviousEnd | undefined {
  // A status of somebody else than the record names is of an earlier one: the last died before it wrote its own.
  const own =
    record === undefined || (status !== undefined && isSameProcess(status.writer, record))
      ? status
      : undefined;
  const who = own === undefined ? record : { ...own.writer, version: own.version };
  if (who === undefined) return undefined;
  const seenAtMs = Math.max(loggedAtMs, own === undefined ? 0 : Date.parse(own.updatedAt));
  const hasLeft = own?.state === "stopped" || own?.state === "failed";
  return {
    how: hasLeft ? "left" : howKilled(who.bootId, bootId),
    reason: hasLeft ? own.exitReason : null,
    pid: who.pid,
    version: who.version,
    startedAt: own?.startedAt ?? null,
    lastSeenAt: seenAtMs === 0 ? null : new Date(seenAtMs).toISOString(),
  };
}

/** Without a boot id (macOS) it may have been either. */
function howKilled(then: string, now: string): "killed" | "rebooted" | "unknown" {
  if (then === "" || now === "") return "unknown";
  return then === now ? "killed" : "rebooted";
}
