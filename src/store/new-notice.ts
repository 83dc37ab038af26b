// A notice on its way into the outbox, in the transaction of the change it reports.
import { createHash } from "node:crypto";
import type { NoticeKind, NoticeState } from "../protocol/notices.ts";
import type { NoticeRow } from "./tables.ts";

export interface NoticeRoute {
  readonly session: string | null;
  readonly task: string | null;
  readonly profile: string;
  readonly origin: Readonly<Record<string, unknown>> | null;
}

export interface NewNotice {
  readonly kind: NoticeKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly processId: string | null;
  readonly route: NoticeRoute;
  /** recorded: listed only. pending: somebody is owed it. */
  readonly state: Extract<NoticeState, "recorded" | "pending">;
  /** What makes it this happening and no other; the id follows from it, also in a store that was rebuilt. */
  readonly dedupeKey: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** What is owed of this kind about the same process, and nobody has for the moment, is out of date with it. */
  readonly overtakes?: NoticeKind;
  /** Not once its process has ended: it would be told after the end. */
  readonly onlyWhileRunning?: true;
  /** Owed or recorded, and shown to nobody until what belongs before it has been told (held-notices.ts). */
  readonly isHeld?: true;
}

/** Who has a held notice. No consumer has an empty name. */
export const heldBy = "";

const alphabet = "23456789bcdfghjkmnpqrstvwxz";
const idLength = 20;

export function noticeId(dedupeKey: string): string {
  const digest = createHash("sha256").update(dedupeKey).digest();
  const letters = Array.from(digest.subarray(0, idLength), (byte) => alphabet[byte % alphabet.length]);
  return `n_${letters.join("")}`;
}

export type InsertedNoticeRow = Omit<NoticeRow, "seq" | "attempts">;

export function toNoticeRow(notice: NewNotice): InsertedNoticeRow {
  const { route } = notice;
  return {
    id: noticeId(notice.dedupeKey),
    kind: notice.kind,
    at: notice.at,
    process_id: notice.processId,
    session: route.session,
    task: route.task,
    profile: route.profile,
    origin: route.origin === null ? null : JSON.stringify(route.origin),
    state: notice.state,
    observed_at: null,
    settled_at: null,
    settled_by: null,
    lease_by: notice.isHeld === true ? heldBy : null,
    lease_until: notice.isHeld === true ? Number.MAX_SAFE_INTEGER : null,
    data: notice.data === undefined ? "{}" : JSON.stringify(notice.data),
  };
}
