// Which notices are meant.
import { sql, type SelectQueryBuilder } from "kysely";
import type { NoticeKind, NoticeState } from "../protocol/notices.ts";
import { heldBy } from "./new-notice.ts";
import type { StoreTables } from "./tables.ts";

/** All conditions hold; nothing given: every notice. */
export interface NoticeQuery {
  readonly session?: string | undefined;
  readonly task?: string | undefined;
  readonly profile?: string | undefined;
  readonly processId?: string | undefined;
  /** About a process of this name. */
  readonly processName?: string | undefined;
  /** The origin says yes under this key. */
  readonly originFlag?: string | undefined;
  readonly kinds?: readonly NoticeKind[] | undefined;
  readonly states?: readonly NoticeState[] | undefined;
  /** Owed, and not what the session that reads has looked at itself; nobody in particular reads all that is owed. */
  readonly unread?: { readonly by: string | undefined } | undefined;
  /** Also those that are not shown yet: they are owed all the same. */
  readonly held?: boolean | undefined;
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

type Query<Result> = SelectQueryBuilder<StoreTables, "notices", Result>;

export function matching<Result>(query: Query<Result>, given: NoticeQuery): Query<Result> {
  let found = query;
  for (const column of ["session", "task", "profile"] as const) {
    const value = given[column];
    if (value !== undefined) found = found.where(column, "=", value);
  }
  if (given.processId !== undefined) found = found.where("process_id", "=", given.processId);
  if (given.processName !== undefined) {
    const named = sql<string>`(select id from processes where name = ${given.processName})`;
    found = found.where("process_id", "in", named);
  }
  if (given.originFlag !== undefined)
    found = found.where(sql<number>`json_extract(origin, ${`$.${given.originFlag}`})`, "=", 1);
  if (given.kinds !== undefined) found = found.where("kind", "in", [...given.kinds]);
  if (given.states !== undefined) found = found.where("state", "in", [...given.states]);
  if (given.unread !== undefined) found = unread(found, given.unread.by);
  if (given.held !== true)
    found = found.where((eb) => eb.or([eb("lease_by", "is", null), eb("lease_by", "<>", heldBy)]));
  if (given.after !== undefined) found = found.where("seq", ">", given.after);
  return found;
}

function unread<Result>(query: Query<Result>, by: string | undefined): Query<Result> {
  const owed = query.where("state", "=", "pending");
  if (by === undefined) return owed;
  return owed.where((eb) =>
    eb.or([eb("observed_at", "is", null), eb("session", "is", null), eb("session", "<>", by)]),
  );
}
