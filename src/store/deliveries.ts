// What is to be pushed where: for each sink how far the outbox was looked through, and for each notice how its delivery stands.
import type { Kysely } from "kysely";
import { toNotice, matching, type NoticeQuery, type NoticeRecord } from "./notices.ts";
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
export interface DueDeliveries {
  readonly limit: number;
  readonly session?: string | undefined;
  readonly exceptSessions: readonly string[];
  readonly exceptNotices: readonly string[];
}

export interface RetriedDeliveries {
  readonly noticeId?: string;
  readonly session?: string;
  readonly states?: readonly ("dead" | "needs_person")[];
}

export interface SinkRecord {
  readonly name: string;
  readonly state: "enabled" | "disabled";
  readonly reason: string | null;
}

// So many are taken over in one transaction: others get their turn in between.
const takenAtOnce = 500;

export class Deliveries {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** A sink that is new gets what happens from now on. */
  async openSink(name: string, nowMs: number): Promise<SinkRecord> {
    const newest = this.#db.selectFrom("notices").select(({ fn }) => fn.max("seq").as("seq"));
    const cursor = (await newest.executeTakeFirst())?.seq ?? 0;
    await this.#db
      .insertInto("sinks")
      .values({ name, cursor, state: "enabled", reason: null, changed_at: nowMs })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute();
    const row = await this.#db
      .selectFrom("sinks")
      .selectAll()
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    return { name, state: row.state === "disabled" ? "disabled" : "enabled", reason: row.reason };
  }

  async setSinkState(
    name: string,
    state: SinkRecord["state"],
    reason: string | null,
    nowMs: number,
  ): Promise<void> {
    const changes = { state, reason, changed_at: nowMs };
    await this.#db.updateTable("sinks").set(changes).where("name", "=", name).execute();
  }

  async sinks(): Promise<SinkRecord[]> {
    const rows = await this.#db.selectFrom("sinks").selectAll().orderBy("name").execute();
    return rows.map(({ name, state, reason }) => ({
      name,
      state: state === "disabled" ? "disabled" : "enabled",
      reason,
    }));
  }

  /** Makes a delivery of every owed notice the sink has not been looked through for. True: there may be more. */
  async take(sink: string, query: NoticeQuery, nowMs: number): Promise<boolean> {
    return await this.#db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom("sinks").select("cursor").where("name", "=", sink).executeTakeFirst();
      const after = row?.cursor ?? 0;
      const newest = await trx
        .selectFrom("notices")
        .select("seq")
        .where("seq", ">", after)
        .orderBy("seq")
        .limit(takenAtOnce)
        .execute();
      const last = newest.at(-1)?.seq;
      if (last === undefined) return false;
      const found = await matching(trx.selectFrom("notices").selectAll(), {
        ...query,
        after,
        states: ["pending"],
      })
        .where("seq", "<=", last)
        .execute();
      for (const { id } of found) {
        await trx
          .insertInto("deliveries")
          .values({
            notice_id: id,
            sink,
            state: "pending",
            next_at: nowMs,
            last_error: null,
            changed_at: nowMs,
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      await trx.updateTable("sinks").set({ cursor: last }).where("name", "=", sink).execute();
      return newest.length === takenAtOnce;
    });
  }

  /** Whose turn has come, oldest first. What was settled in another way meanwhile is no longer pushed. */
  async due(sink: string, nowMs: number, which: DueDeliveries): Promise<Delivery[]> {
    const settled = this.#db.selectFrom("notices").select("id").where("state", "<>", "pending");
    await this.#db
      .deleteFrom("deliveries")
      .where("sink", "=", sink)
      .where("state", "=", "pending")
      .where("notice_id", "in", settled)
      .execute();
    return await this.#list((query) => {
      const due = query
        .where("sink", "=", sink)
        .where("deliveries.state", "=", "pending")
        .where("next_at", "<=", nowMs)
        .where("notices.id", "not in", which.exceptNotices)
        .limit(which.limit);
      if (which.session !== undefined)
        return due.where(({ eb }) => eb(eb.fn.coalesce("session", eb.val("")), "=", which.session ?? ""));
      return which.exceptSessions.length === 0
        ? due
        : due.where(({ eb }) => eb(eb.fn.coalesce("session", eb.val("")), "not in", which.exceptSessions));
    });
  }

  /** When the next one of a sink is due; undefined when none waits. */
  async nextDue(sink: string): Promise<number | undefined> {
    const query = this.#db.selectFrom("deliveries").select(({ fn }) => fn.min("next_at").as("at"));
    const row = await query.where("sink", "=", sink).where("state", "=", "pending").executeTakeFirst();
    return row?.at ?? undefined;
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

  /** What was put off for a session is due now. */
  async hurry(session: string, nowMs: number): Promise<void> {
    const own = this.#db.selectFrom("notices").select("id").where("session", "=", session);
    await this.#db
      .updateTable("deliveries")
      .set({ next_at: nowMs })
      .where("state", "=", "pending")
      .where("attempts", "=", 0)
      .where("next_at", ">", nowMs)
      .where("notice_id", "in", own)
      .execute();
  }

  /** Those that were given up or wait for a person. */
  async stuck(): Promise<Delivery[]> {
    return await this.#list((query) => query.where("deliveries.state", "in", ["dead", "needs_person"]));
  }

  async countStuck(): Promise<{ dead: number; needsPerson: number }> {
    const rows = await this.#db
      .selectFrom("deliveries")
      .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
      .where("state", "in", ["dead", "needs_person"])
      .groupBy("state")
      .execute();
    const of = (state: string): number => rows.find((row) => row.state === state)?.count ?? 0;
    return { dead: of("dead"), needsPerson: of("needs_person") };
  }

  /** Whoever asks for a notice again wants it to arrive: sinks that were turned off are tried again too. */
  async enableSinksOf(noticeId: string, nowMs: number): Promise<void> {
    const sinks = this.#db.selectFrom("deliveries").select("sink").where("notice_id", "=", noticeId);
    await this.#db
      .updateTable("sinks")
      .set({ state: "enabled", reason: null, changed_at: nowMs })
      .where("state", "=", "disabled")
      .where("name", "in", sinks)
      .execute();
  }

  /** Tried again from the beginning. Returns how many. */
  async retry(which: RetriedDeliveries, nowMs: number): Promise<number> {
    let update = this.#db
      .updateTable("deliveries")
      .set({ state: "pending", attempts: 0, next_at: nowMs, changed_at: nowMs })
      .where("state", "in", which.states ?? ["dead", "needs_person"]);
    if (which.noticeId !== undefined) update = update.where("notice_id", "=", which.noticeId);
    if (which.session !== undefined) {
      const own = this.#db.selectFrom("notices").select("id").where("session", "=", which.session);
      update = update.where("notice_id", "in", own);
    }
    return Number((await update.executeTakeFirst()).numUpdatedRows);
  }

  async #list(narrow: (query: Joined) => Joined): Promise<Delivery[]> {
    const rows = await narrow(joined(this.#db)).orderBy("seq").execute();
    return rows.map((row) => ({
      sink: row.delivery_sink,
      state: row.delivery_state as DeliveryState, // the table admits no other
      attempts: row.delivery_attempts,
      nextAt: row.delivery_next_at,
      lastError: row.delivery_error,
      changedAt: row.delivery_changed_at,
      notice: toNotice(row),
    }));
  }
}

type Joined = ReturnType<typeof joined>;

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
