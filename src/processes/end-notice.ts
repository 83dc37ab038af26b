// Whoever must hear how a process ended is owed a notice from the very commit that makes it ended.
import type { ExitRecord } from "../protocol/exit.ts";
import type { Notify } from "../protocol/process.ts";
import type { NewNotice, ProcessRecord } from "../store/index.ts";

/** An end that somebody asked for is no failure, whatever the code. */
export function isFailure({ exit, stopReason }: ExitRecord): boolean {
  if (stopReason === "user" || stopReason === "replaced") return false;
  return exit.kind !== "exited" || exit.code !== 0;
}

function isOwed(notify: Notify, exit: ExitRecord | null): boolean {
  if (notify === "failure") return exit === null || isFailure(exit);
  return notify === "end";
}

export function endNotice(record: ProcessRecord, atMs: number): NewNotice {
  return {
    kind: "process.ended",
    at: atMs,
    processId: record.id,
    route: record,
    state: isOwed(record.notify, record.exit) ? "pending" : "recorded",
    dedupeKey: `process.ended:${record.id}`,
  };
}
