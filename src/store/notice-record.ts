// A notice as the store remembers it.
import type { NoticeKind, NoticeState } from "../protocol/notices.ts";
import type { NoticeRoute } from "./new-notice.ts";
import type { NoticeRow } from "./tables.ts";

/** Times are milliseconds since 1970. */
export interface NoticeRecord {
  readonly cursor: number;
  readonly id: string;
  readonly kind: NoticeKind;
  readonly at: number;
  readonly processId: string | null;
  readonly route: NoticeRoute;
  readonly state: NoticeState;
  readonly isObserved: boolean;
  readonly attempts: number;
  readonly settledBy: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Types are asserted: toNoticeRow has written the row. */
export function toNotice(
  row: { [Column in keyof NoticeRow]: unknown } & { seq: number; attempts: number },
): NoticeRecord {
  const text = row as unknown as Omit<NoticeRow, "seq" | "attempts">;
  return {
    cursor: row.seq,
    id: text.id,
    kind: text.kind as NoticeKind,
    at: text.at,
    processId: text.process_id,
    route: {
      session: text.session,
      task: text.task,
      profile: text.profile,
      origin: text.origin === null ? null : (JSON.parse(text.origin) as NoticeRoute["origin"]),
    },
    state: text.state as NoticeState,
    isObserved: text.observed_at !== null,
    attempts: row.attempts,
    settledBy: text.settled_by,
    data: JSON.parse(text.data) as NoticeRecord["data"],
  };
}
