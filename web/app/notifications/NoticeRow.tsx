// One notice. Its text was written for models and people; it is shown as it is, as text.
import { useState } from "react";
import { Check, ChevronDown, ChevronRight, RotateCw } from "lucide-react";
import { Link } from "react-router";
import type { NoticeWithText } from "#protocol/notices.ts";
import { client } from "~/api/client.ts";
import { useRoleReason } from "~/api/me.ts";
import { acknowledge } from "~/api/notices.ts";
import { kindLabel, noticeTitle, noticeTone } from "~/api/notice-text.ts";
import { useNow } from "~/hooks/use-now.ts";
import { Badge } from "~/ui/Badge.tsx";
import { Button } from "~/ui/Button.tsx";
import { showError, showToast } from "~/ui/toasts.tsx";
import { formatSince, formatTime } from "~/util/format.ts";
import { path } from "~/util/path.ts";

async function replay(id: string): Promise<void> {
  try {
    const { deliveries } = await client.notifications.replay({ notice: id });
    const text = deliveries === 0 ? "No sink wants it" : `Handed to ${deliveries} again`;
    showToast({ tone: "info", title: text });
  } catch (error) {
    showError("Not replayed", error);
  }
}

export function NoticeRow({ notice }: { notice: NoticeWithText }) {
  const [isOpen, setOpen] = useState(false);
  const now = useNow();
  const role = useRoleReason("operator");
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className="px-2 py-1">
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-2 text-left"
        >
          <Chevron size={15} aria-hidden className="shrink-0 text-muted" />
          <Badge tone={noticeTone(notice)}>{kindLabel(notice.kind)}</Badge>
          <span
            className={`min-w-0 flex-1 truncate ${notice.state === "pending" ? "font-medium" : "text-muted"}`}
          >
            {noticeTitle(notice)}
          </span>
          <time
            dateTime={notice.at}
            title={formatTime(notice.at)}
            className="hidden shrink-0 text-xs text-muted sm:inline"
          >
            {formatSince(notice.at, now)}
          </time>
        </button>
        {notice.state === "pending" ? (
          <Button
            kind="ghost"
            aria-label={`Acknowledge: ${noticeTitle(notice)}`}
            title="Acknowledge"
            disabledReason={role}
            icon={<Check size={15} aria-hidden />}
            onClick={() =>
              void acknowledge([notice.id]).catch((error: unknown) => showError("Not acknowledged", error))
            }
          />
        ) : (
          <Badge tone="neutral">{notice.state}</Badge>
        )}
      </div>
      {isOpen ? (
        <div className="mt-1 ml-6">
          <pre className="max-h-72 overflow-auto rounded border border-line bg-sunken p-2 font-mono text-xs whitespace-pre-wrap break-words">
            {notice.text}
          </pre>
          <div className="mt-1 flex items-center gap-2">
            {notice.processId === null ? null : (
              <Link className="text-accent underline" to={path.process(notice.processId)}>
                Open the process
              </Link>
            )}
            <Button
              kind="ghost"
              disabledReason={role}
              icon={<RotateCw size={14} aria-hidden />}
              onClick={() => void replay(notice.id)}
            >
              Deliver again
            </Button>
          </div>
        </div>
      ) : null}
    </li>
  );
}
