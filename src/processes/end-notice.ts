// Whoever must hear how a process ended is owed a notice from the very commit that makes it ended.
import type { ExitRecord, StopReason } from "../protocol/exit.ts";
import type { Notify } from "../protocol/process.ts";
import type { NewNotice, ProcessRecord, WatchAdvance } from "../store/index.ts";
import { viewProcess } from "./view.ts";

/** What watches have to say about an end: stored with it. */
export interface WatchEnd {
  /** Null: they have not looked at everything yet. The end is known from now on, and told when they have. */
  readonly advance: WatchAdvance | null;
  /** Somebody is owed it, whatever the process itself says. */
  readonly owed: boolean;
  readonly data: Readonly<Record<string, unknown>>;
}

const asked: ReadonlySet<StopReason> = new Set(["user", "replaced", "lifetime"]);
/** A limit of the process itself. */
const limits: ReadonlySet<StopReason> = new Set(["timeout", "idle", "memory", "output"]);

/** An end that somebody asked for is no failure, whatever the code; what a limit cut off has failed, whatever the code. */
export function isFailure({ exit, stopReason }: ExitRecord): boolean {
  if (asked.has(stopReason)) return false;
  return limits.has(stopReason) || exit.kind !== "exited" || exit.code !== 0;
}

export function isOwed(notify: Notify, exit: ExitRecord | null): boolean {
  if (notify === "failure") return exit === null || isFailure(exit);
  return notify === "end";
}

/** In the order in which it happened. */
export function endNotices(record: ProcessRecord, atMs: number, watches?: WatchEnd): NewNotice[] {
  const state = watches?.owed === true || isOwed(record.notify, record.exit) ? "pending" : "recorded";
  const isHeld = watches?.advance === null ? ({ isHeld: true } as const) : {};
  const about = { at: atMs, processId: record.id, route: record, state, ...isHeld } as const;
  const reason = record.exit?.stopReason ?? "none";
  const ended: NewNotice = {
    ...about,
    kind: "process.ended",
    dedupeKey: `process.ended:${record.id}`,
    data: { ...endFacts(record), ...watches?.data },
    ...(record.spec.progress === undefined ? {} : { overtakes: "process.progress" }),
  };
  if (!limits.has(reason)) return [ended];
  const limit: NewNotice = {
    ...about,
    kind: "process.limit-reached",
    dedupeKey: `process.limit-reached:${record.id}`,
    data: { limit: reason },
  };
  return [limit, ended];
}

/** Enough to tell the end by when the process itself is no longer remembered. */
function endFacts(record: ProcessRecord): Record<string, unknown> {
  const { name, command, exit, stopReason, uptimeMs } = viewProcess(record);
  return { name, command, exit, stopReason, durationMs: uptimeMs };
}
