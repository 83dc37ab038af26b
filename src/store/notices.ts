// The outbox of the store: what is owed, who has it for the moment, and what became of it.
import { sql, type Kysely, type SelectQueryBuilder } from "kysely";
import type { NoticeKind, NoticeState } from "../protocol/notices.ts";
import type { NoticeRoute } from "./new-notice.ts";
import type { NoticeRow, StoreTables } from "./tables.ts";

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
  /** Owed, and its session has not looked at the process since. */
  readonly unread?: boolean | undefined;
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}

export interface Claim {
  readonly consumer: string;
  readonly nowMs: number;
  readonly leaseUntilMs: number;
  readonly limit: number;
  /** Their ends are just being told in another way. */
  readonly exceptProcesses: readonly string[];
}

export type Settlement = "done" | "already" | "lost" | "not_found";

type Query<Result> = SelectQueryBuilder<StoreTables, "notices", Result>;

export class Notices {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  async get(id: string): Promise<NoticeRecord | undefined> {
    const row = await this.#db.selectFrom("notices").selectAll().where("id", "=", id).executeTakeFirst();
    return row === undefined ? undefined : toNotice(row);
  }

  /** Oldest first. */
  async list(query: NoticeQuery): Promise<NoticeRecord[]> {
    let rows = matching(this.#db.selectFrom("notices").selectAll(), query).orderBy("seq");
    if (query.limit !== undefined) rows = rows.limit(query.limit);
    return (await rows.execute()).map(toNotice);
  }

  async countPending(query: NoticeQuery = {}): Promise<number> {
    const counted = this.#db.selectFrom("notices").select(({ fn }) => fn.countAll<number>().as("count"));
    const row = await matching(counted, { ...query, states: ["pending"] }).executeTakeFirst();
    return row?.count ?? 0;
  }

  /** The cursor of the newest notice; 0 before the first. */
  async last(): Promise<number> {
    const query = this.#db.selectFrom("notices").select(({ fn }) => fn.max("seq").as("seq"));
    return (await query.executeTakeFirst())?.seq ?? 0;
  }

  /** Owed ones that nobody has for the moment become this consumer's, oldest first. */
  async claim(query: NoticeQuery, claim: Claim): Promise<NoticeRecord[]> {
    let free = matching(this.#db.selectFrom("notices").select("id"), { ...query, states: ["pending"] }).where(
      ({ eb, or }) => or([eb("lease_until", "is", null), eb("lease_until", "<=", claim.nowMs)]),
    );
    if (claim.exceptProcesses.length > 0) {
      free = free.where(({ eb, or }) =>
        or([
          eb("kind", "<>", "process.ended"),
          eb("process_id", "is", null),
          eb("process_id", "not in", claim.exceptProcesses),
        ]),
      );
    }
    const rows = await this.#db
      .updateTable("notices")
      .set({
        lease_by: claim.consumer,
        lease_until: claim.leaseUntilMs,
        attempts: sql`attempts + 1`,
      })
      .where("id", "in", free.orderBy("seq").limit(claim.limit))
      .returningAll()
      .execute();
    return rows.map(toNotice).toSorted((a, b) => a.cursor - b.cursor);
  }

  /** When the next lease runs out; undefined when none is held. */
  async nextLeaseEnd(nowMs: number): Promise<number | undefined> {
    const query = this.#db.selectFrom("notices").select(({ fn }) => fn.min("lease_until").as("until"));
    const row = await query
      .where("state", "=", "pending")
      .where("lease_until", ">", nowMs)
      .executeTakeFirst();
    return row?.until ?? undefined;
  }

  /** With a consumer only what that one has; without, by hand, whoever has it. */
  async acknowledge(id: string, consumer: string | undefined, nowMs: number): Promise<Settlement> {
    let update = this.#db
      .updateTable("notices")
      .set({
        state: "acknowledged",
        settled_at: nowMs,
        settled_by: consumer ?? "by hand",
        lease_by: null,
        lease_until: null,
      })
      .where("id", "=", id)
      .where("state", "<>", "acknowledged");
    if (consumer !== undefined) update = update.where("lease_by", "=", consumer);
    if ((await update.executeTakeFirst()).numUpdatedRows > 0n) return "done";
    const found = await this.get(id);
    if (found === undefined) return "not_found";
    return found.state === "pending" ? "lost" : "already";
  }

  /** Gives it back before the lease runs out. */
  async release(id: string, consumer: string): Promise<Settlement> {
    const result = await this.#db
      .updateTable("notices")
      .set({ lease_by: null, lease_until: null })
      .where("id", "=", id)
      .where("state", "=", "pending")
      .where("lease_by", "=", consumer)
      .executeTakeFirst();
    if (result.numUpdatedRows > 0n) return "done";
    const found = await this.get(id);
    if (found === undefined) return "not_found";
    return found.state === "pending" ? "lost" : "already";
  }

  /** Owed again, for everybody. False if there is none. */
  async replay(id: string): Promise<boolean> {
    const result = await this.#db
      .updateTable("notices")
      .set({ state: "pending", settled_at: null, settled_by: null, lease_by: null, lease_until: null })
      .where("id", "=", id)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** What nobody has taken care of yet is overtaken by something newer of the same kind. */
  async dropPending(processId: string, kind: NoticeKind): Promise<void> {
    await this.#db
      .deleteFrom("notices")
      .where("process_id", "=", processId)
      .where("kind", "=", kind)
      .where("state", "=", "pending")
      .execute();
  }

  /** The session has learned the end in another way. */
  async markEndSeen(processId: string, session: string, by: string, nowMs: number): Promise<void> {
    await this.#db
      .updateTable("notices")
      .set({ state: "seen", settled_at: nowMs, settled_by: by, lease_by: null, lease_until: null })
      .where("process_id", "=", processId)
      .where("kind", "=", "process.ended")
      .where("session", "=", session)
      .where("state", "=", "pending")
      .execute();
  }

  /** The session has looked at the process: its own list of unread ones need not say it again. */
  async markObserved(processId: string, session: string, nowMs: number): Promise<void> {
    await this.#db
      .updateTable("notices")
      .set({ observed_at: nowMs })
      .where("process_id", "=", processId)
      .where("session", "=", session)
      .where("state", "=", "pending")
      .where("observed_at", "is", null)
      .execute();
  }

  /** Of these processes, the ones that somebody is owed a notice about. */
  async owedProcesses(processIds: readonly string[]): Promise<Set<string>> {
    if (processIds.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom("notices")
      .select("process_id")
      .distinct()
      .where("state", "=", "pending")
      .where("process_id", "in", [...processIds])
      .execute();
    return new Set(rows.flatMap(({ process_id }) => (process_id === null ? [] : [process_id])));
  }

  /** Takes out what is older than these times; tells which of them somebody was still owed. */
  async expire(before: { readonly pendingMs: number; readonly settledMs: number }): Promise<NoticeRecord[]> {
    await this.#db
      .deleteFrom("notices")
      .where("state", "<>", "pending")
      .where("at", "<", before.settledMs)
      .execute();
    const rows = await this.#db
      .deleteFrom("notices")
      .where("state", "=", "pending")
      .where("at", "<", before.pendingMs)
      .returningAll()
      .execute();
    return rows.map(toNotice);
  }
}

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
  if (given.unread === true) found = found.where("state", "=", "pending").where("observed_at", "is", null);
  if (given.after !== undefined) found = found.where("seq", ">", given.after);
  return found;
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
