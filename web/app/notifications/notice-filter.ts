// Which notices a person wants to see; kept in the address.
import type { NoticeWithText } from "#protocol/notices.ts";

export const noticeViews = [
  { key: "unread", label: "Unread" },
  { key: "failures", label: "Ended badly" },
  { key: "matches", label: "Matches" },
  { key: "all", label: "All" },
] as const;
export type NoticeView = (typeof noticeViews)[number]["key"];

export function readView(text: string | null): NoticeView {
  return noticeViews.find(({ key }) => key === text)?.key ?? "unread";
}

export function filterNotices(known: readonly NoticeWithText[], view: NoticeView): readonly NoticeWithText[] {
  if (view === "all") return known;
  if (view === "unread") return known.filter(({ state }) => state === "pending");
  if (view === "matches") return known.filter(({ kind }) => kind.startsWith("watch."));
  return known.filter(({ kind, process }) => kind === "process.ended" && hasFailed(process));
}

function hasFailed(process: NoticeWithText["process"]): boolean {
  if (process === null || process.exit === null) return false;
  const isSuccess = process.exit.kind === "exited" && process.exit.code === 0;
  return !isSuccess && process.stopReason !== "user";
}
