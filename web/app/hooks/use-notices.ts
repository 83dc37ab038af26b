// Follows notices for the whole page: the store, a toast for what somebody is owed, and a notification of the browser
// when the page is not looked at.
import { useEffect, useEffectEvent } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { NoticeWithText } from "#protocol/notices.ts";
import { isSignedOut } from "~/api/client.ts";
import { setConnection } from "~/api/connection.ts";
import { followNotices } from "~/api/notices.ts";
import { noticeTitle, noticeTone } from "~/api/notice-text.ts";
import { showError, showToast } from "~/ui/toasts.tsx";
import { path } from "~/util/path.ts";

export function useNotices(): void {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const open = useEffectEvent((href: string) => {
    window.focus();
    void navigate(href);
  });
  useEffect(() => {
    const leaving = new AbortController();
    const askApprovals = (): void => void queries.invalidateQueries({ queryKey: ["approvals"] });
    const hear = (notice: NoticeWithText): void => {
      if (notice.kind.startsWith("approval.")) askApprovals();
      if (notice.state === "pending" || notice.kind === "approval.wanted") tell(notice, open);
    };
    const failed = (what: string, error: unknown): void => {
      if (leaving.signal.aborted) return;
      if (isSignedOut(error)) setConnection("signed-out");
      else showError(what, error);
    };
    followNotices(leaving.signal, {
      onBegin: askApprovals,
      onNew: hear,
      onProblem: (error) => failed("Notices cannot be listed", error),
    }).catch((error: unknown) => failed("Notices are no longer followed", error));
    return () => leaving.abort();
  }, [queries]);
}

function tell(notice: NoticeWithText, open: (href: string) => void): void {
  const title = noticeTitle(notice);
  const href = placeOf(notice);
  showToast({ tone: noticeTone(notice), title, href });
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    // The same happening replaces itself: two open pages show it once.
    const shown = new Notification("Holdfast", { body: title, tag: notice.id });
    shown.addEventListener("click", () => open(href));
  } catch {
    // Chrome on Android has it and refuses to make one: there is the toast.
  }
}

/** Where one does something about it. */
function placeOf({ kind, processId }: NoticeWithText): string {
  if (kind === "approval.wanted") return path.overview();
  return processId === null ? path.notifications() : path.process(processId);
}
