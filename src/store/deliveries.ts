// What is to be pushed where: for each notice and each sink that wants it, how its delivery stands.
import { sql, type ExpressionBuilder, type Kysely } from "kysely";
import { toNotice, type NoticeRecord } from "./notice-record.ts";
import { matching, type NoticeQuery } from "./notice-query.ts";
import type { StoreTables } from "./tables.ts";

export type DeliveryState = "pending" | "delivered" | "dead" | "needs_person";

export interface Delivery {
  readonly sink: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** Milliseconds since 1970: not before. */
  readonly nextAt: number;
  readonly lastError: string | null;
  readonly changedAt: number;
  readonly notice: NoticeRecord;
}

export interface DeliveryChange {
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly nextAt: number;
  readonly lastError: string | null;
}

/** Of no session: the empty text. */
export interface DeliverySelection {
  readonly session?: string | undefined;
  readonly exceptSessions: readonly string[];
  readonly exceptNotices: readonly string[];
}

export interface RetriedDeliveries {
  readonly noticeId?: string;
  readonly sink?: string;
  /** Null: of notices of no session. */
  readonly session?: string | null;
  readonly states?: readonly ("dead" | "needs_person")[];
}

/** Who has acknowledged a notice by having delivered it. */
export function settledBySink(name: string): string {
  return `sink:${name}`;
}

// So many are taken over in one transaction: others get their turn in between.
const takenAtOnce = 500;

export class Deliveries {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** Makes a delivery of every wanted notice the sink has not been looked through for. more: there may be more. */
  async take(sink: string, query: NoticeQuery, nowMs: number): Promise<"more" | "done" | "disabled"> {
    const row = await this.#db
      .selectFrom("sinks")
      .select(["cursor", "state"])
      .where("name", "=", sink)
      .executeTakeFirst();
    if (row === undefined || row.state === "disabled") return "disabled";
    const newest = await this.#db
      .selectFrom("notices")
      .select("seq")
      .where("seq", ">", row.cursor)
      .orderBy("seq")
      .limit(takenAtOnce)
      .execute();
    const last = newest.at(-1)?.seq;
    if (last === undefined) return "done";
    const found = matching(this.#db.selectFrom("notices"), { ...query, after: row.cursor })
      .where("seq", "<=", last)
      .where(isWanted)
      .select((eb) => [
        "id as notice_id",
        eb.val(sink).as("sink"),
        eb.val("pending").as("state"),
        eb.val(nowMs).as("next_at"),
        eb.val(nowMs).as("changed_at"),
      ]);
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto("deliveries")
        .columns(["notice_id", "sink", "state", "next_at", "changed_at"])
        .expression(found)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await trx.updateTable("sinks").set({ cursor: last }).where("name", "=", sink).execute();
    });
    return newest.length === takenAtOnce ? "more" : "done";
  }

  /**
   * Those whose turn came first, oldest first. What was settled in another way meanwhile is no longer pushed. Only as many rows are
   * looked at as are asked for: thousands may wait behind them.
   */
  async due(
    sink: string,
    nowMs: number,
    which: DeliverySelection & { readonly limit: number },
  ): Promise<Delivery[]> {
    for (;;) {
      const found = await selected(joined(this.#db).where("deliveries.state", "=", "pending"), sink, which)
        .where("next_at", "<=", nowMs)
        .orderBy("next_at")
        .limit(which.limit)
        .execute();
      const due = found.map(toDelivery).toSorted((a, b) => a.notice.cursor - b.notice.cursor);
      const settled = due.filter(({ notice }) => !isStillWanted(notice));
      if (settled.length === 0) return due;
      await this.#drop(
        sink,
        settled.map(({ notice }) => notice.id),
      );
    }
  }

  /** When the next one of a sink is due; undefined when none waits. */
  async nextDue(sink: string, which: DeliverySelection): Promise<number | undefined> {
    const pending = joined(this.#db).where("deliveries.state", "=", "pending");
    const first = selected(pending, sink, which).clearSelect().select("next_at").orderBy("next_at").limit(1);
    return (await first.executeTakeFirst())?.next_at;
  }

  async change(noticeId: string, sink: string, change: DeliveryChange, nowMs: number): Promise<void> {
    await this.#db
      .updateTable("deliveries")
      .set({
        state: change.state,
        attempts: change.attempts,
        next_at: change.nextAt,
        last_error: change.lastError,
        changed_at: nowMs,
      })
      .where("notice_id", "=", noticeId)
      .where("sink", "=", sink)
      .execute();
  }

  /** What was put off for a session, and has not failed, is due now. */
  async hurry(session: string, nowMs: number): Promise<void> {
    const own = this.#db.selectFrom("notices").select("id").where("session", "=", session);
    await this.#db
      .updateTable("deliveries")
      .set({ next_at: nowMs })
      .where("state", "=", "pending")
      .where("last_error", "is", null)
      .where("next_at", ">", nowMs)
      .where("notice_id", "in", own)
      .execute();
  }

  /** Those of these sinks that were given up or wait for a person, while somebody is owed the notice. */
  async stuck(sinks: readonly string[], limit?: number): Promise<Delivery[]> {
    const found = stuckOf(joined(this.#db), sinks).orderBy("seq");
    const rows = await (limit === undefined ? found : found.limit(limit)).execute();
    return rows.map(toDelivery);
  }

  async countStuck(sinks: readonly string[]): Promise<{ dead: number; needsPerson: number }> {
    const rows = await stuckOf(joined(this.#db), sinks)
      .clearSelect()
      .select(({ fn }) => ["deliveries.state", fn.countAll<number>().as("count")])
      .groupBy("deliveries.state")
      .execute();
    const of = (state: string): number => rows.find((row) => row.state === state)?.count ?? 0;
    return { dead: of("dead"), needsPerson: of("needs_person") };
  }

  /** Tried again from the beginning, where the sink is not turned off. Returns how many. */
  async retry(which: RetriedDeliveries, nowMs: number): Promise<number> {
    const disabled = this.#db.selectFrom("sinks").select("name").where("state", "=", "disabled");
    let update = this.#db
      .updateTable("deliveries")
      .set({ state: "pending", attempts: 0, next_at: nowMs, changed_at: nowMs })
      .where("state", "in", which.states ?? ["dead", "needs_person"])
      .where("sink", "not in", disabled);
    if (which.noticeId !== undefined) update = update.where("notice_id", "=", which.noticeId);
    if (which.sink !== undefined) update = update.where("sink", "=", which.sink);
    if (which.session !== undefined) {
      const own = this.#db
        .selectFrom("notices")
        .select("id")
        .where("session", which.session === null ? "is" : "=", which.session);
      update = update.where("notice_id", "in", own);
    }
    return Number((await update.executeTakeFirst()).numUpdatedRows);
  }

  /** Unless they are wanted again by now. */
  async #drop(sink: string, noticeIds: readonly string[]): Promise<void> {
    await this.#db
      .deleteFrom("deliveries")
      .where("sink", "=", sink)
      .where("state", "=", "pending")
      .where("notice_id", "in", noticeIds)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("notices")
            .select("notices.id")
            .whereRef("notices.id", "=", "deliveries.notice_id")
            .where((notice) => notice.not(isWanted(notice))),
        ),
      )
      .execute();
  }
}

type Joined = ReturnType<typeof joined>;
type JoinedRow = Awaited<ReturnType<Joined["execute"]>>[number];

function toDelivery(row: JoinedRow): Delivery {
  return {
    sink: row.delivery_sink,
    state: row.delivery_state as DeliveryState, // the table admits no other
    attempts: row.delivery_attempts,
    nextAt: row.delivery_next_at,
    lastError: row.delivery_error,
    changedAt: row.delivery_changed_at,
    notice: toNotice(row),
  };
}

function joined(db: Kysely<StoreTables>) {
  return db
    .selectFrom("deliveries")
    .innerJoin("notices", "notices.id", "deliveries.notice_id")
    .selectAll("notices")
    .select([
      "deliveries.sink as delivery_sink",
      "deliveries.state as delivery_state",
      "deliveries.attempts as delivery_attempts",
      "deliveries.next_at as delivery_next_at",
      "deliveries.last_error as delivery_error",
      "deliveries.changed_at as delivery_changed_at",
    ]);
}

/** Owed, or taken care of by another sink alone: each gets its own. Whoever settled it by claim or by hand spares all. */
function isWanted(eb: ExpressionBuilder<StoreTables, "notices">) {
  return eb.or([
    eb("notices.state", "=", "pending"),
    eb.and([
      eb("notices.state", "=", "acknowledged"),
      eb("notices.settled_by", "like", `${settledBySink("")}%`),
    ]),
  ]);
}

/** The same of one that was read. */
function isStillWanted({ state, settledBy }: NoticeRecord): boolean {
  const isBySink = settledBy?.startsWith(settledBySink("")) === true;
  return state === "pending" || (state === "acknowledged" && isBySink);
}

function selected(query: Joined, sink: string, which: DeliverySelection): Joined {
  let found = query.where("sink", "=", sink);
  const session = sql<string>`coalesce(session, '')`;
  if (which.exceptNotices.length > 0) found = found.where("notices.id", "not in", which.exceptNotices);
  if (which.session !== undefined) found = found.where(session, "=", which.session);
  if (which.exceptSessions.length > 0) found = found.where(session, "not in", which.exceptSessions);
  return found;
}

function stuckOf(query: Joined, sinks: readonly string[]): Joined {
  return query
    .where("deliveries.state", "in", ["dead", "needs_person"])
    .where("sink", "in", sinks)
    .where((eb) => isWanted(eb));
}
