// The notices that come of watches. What is told of a match is in the data; the text is made when somebody reads it.
import type { NewNotice, NoticeRoute, ProcessRecord, WatchRecord } from "../../store/index.ts";
import type { InputWait } from "../../protocol/process.ts";
import type { HeldBack } from "./breaker.ts";
import type { Push } from "./push-policy.ts";
import type { Gap } from "./worker-messages.ts";

function ofProcess(
  record: ProcessRecord,
  atMs: number,
): Pick<NewNotice, "at" | "processId" | "route" | "state"> {
  return { at: atMs, processId: record.id, route: record, state: "pending" };
}

export function matchedNotice(record: ProcessRecord, push: Push, atMs: number): NewNotice {
  const { number, count, heldBack, watches, lines } = push;
  return {
    ...ofProcess(record, atMs),
    kind: "watch.matched",
    dedupeKey: `watch.matched:${record.id}:${number}`,
    data: { count, heldBack, watches, lines },
  };
}

export function disabledNotice(record: ProcessRecord, strikes: number, atMs: number): NewNotice {
  return {
    ...ofProcess(record, atMs),
    kind: "watch.disabled",
    dedupeKey: `watch.disabled:${record.id}`,
    data: { strikes },
  };
}

export function gapNotice(record: ProcessRecord, gap: Gap, atMs: number): NewNotice {
  return {
    ...ofProcess(record, atMs),
    kind: "watch.gap",
    dedupeKey: `watch.gap:${record.id}`,
    data: { from: gap.from, to: gap.to },
  };
}

export function readyNotice(
  record: ProcessRecord,
  watch: WatchRecord,
  what: string,
  atMs: number,
): NewNotice {
  return {
    ...ofProcess(record, atMs),
    kind: "process.ready",
    dedupeKey: `process.ready:${watch.id}`,
    data: { what, watch: watch.id },
  };
}

export interface InputFound {
  readonly number: number;
  readonly wait: InputWait;
  /** What stands before the cursor. */
  readonly line: string;
  readonly offset: number;
}

export function inputNotice(
  record: ProcessRecord,
  watch: WatchRecord,
  found: InputFound,
  atMs: number,
): NewNotice {
  const { number, wait, line, offset } = found;
  return {
    ...ofProcess(record, atMs),
    kind: "process.waits-for-input",
    dedupeKey: `process.waits-for-input:${record.id}:${number}`,
    data: { waits: wait.waits, guess: wait.guess, line, offset, watch: watch.id },
  };
}

function ofSession(
  route: NoticeRoute,
  atMs: number,
): Pick<NewNotice, "at" | "processId" | "route" | "state"> {
  return { at: atMs, processId: null, route, state: "pending" };
}

export function trippedNotice(
  { route, count }: HeldBack,
  pause: { readonly at: number; readonly until: number },
  atMs: number,
): NewNotice {
  return {
    ...ofSession(route, atMs),
    kind: "breaker.tripped",
    dedupeKey: `breaker.tripped:${pause.at}:${sessionKey(route)}`,
    data: { heldBack: count, until: new Date(pause.until).toISOString() },
  };
}

export function releasedNotice({ route, count }: HeldBack, pausedAt: number, atMs: number): NewNotice {
  return {
    ...ofSession(route, atMs),
    kind: "breaker.released",
    dedupeKey: `breaker.released:${pausedAt}:${sessionKey(route)}`,
    data: { heldBack: count },
  };
}

function sessionKey({ session, task, profile }: NoticeRoute): string {
  return JSON.stringify(session === null ? [null, task, profile] : [session]);
}
