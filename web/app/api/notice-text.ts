// A notice for a person: one line, and how it should look. Its whole text is beside it.
import type { NoticeKind, NoticeWithText } from "#protocol/notices.ts";
import { exitText, toneOf, type Tone } from "~/util/exit-text.ts";

const kindText: Record<NoticeKind, string> = {
  "process.ended": "ended",
  "process.progress": "still runs",
  "process.ready": "is ready",
  "process.waits-for-input": "waits for input",
  "process.limit-reached": "reached a limit",
  "watch.matched": "matched a watch",
  "watch.disabled": "has a watch that was turned off",
  "watch.gap": "has output that was not watched",
  "breaker.tripped": "Pushing is paused",
  "breaker.released": "Pushing goes on",
  "delegation.finished": "A delegation finished",
  "approval.wanted": "A command waits for your approval",
  "approval.answered": "An approval was answered",
};

const kindTone: Partial<Record<NoticeKind, Tone>> = {
  "process.ready": "good",
  "process.waits-for-input": "warn",
  "process.limit-reached": "bad",
  "watch.matched": "info",
  "watch.disabled": "warn",
  "watch.gap": "warn",
  "breaker.tripped": "warn",
  "approval.wanted": "warn",
};

export function noticeTitle({ kind, process }: NoticeWithText): string {
  if (process === null) return kindText[kind];
  const name = process.name ?? process.command;
  return kind === "process.ended" ? `${name} ${exitText(process)}` : `${name} ${kindText[kind]}`;
}

export function noticeTone({ kind, process }: NoticeWithText): Tone {
  if (kind === "process.ended" && process !== null) return toneOf(process);
  return kindTone[kind] ?? "neutral";
}

/** Of a kind, as a filter names it. */
export function kindLabel(kind: NoticeKind): string {
  return kind.replace(".", ": ").replaceAll("-", " ");
}
