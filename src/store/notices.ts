// The outbox of the store: what is owed, who has it for the moment, and what became of it.
import { sql, type Kysely } from "kysely";
import type { NoticeKind } from "../protocol/notices.ts";
import { matching, type NoticeQuery } from "./notice-query.ts";
import { toNotice, type NoticeRecord } from "./notice-record.ts";
import type { StoreTables } from "./tables.ts";

export interface Claim {
  readonly consumer: string;
  readonly nowMs: number;
  readonly leaseUntilMs: number;
  readonly limit: number;
  /** Their ends are just being told in another way. */
  readonly exceptProcesses: readonly string[];
}

export type Settlement = "done" | "already" | "lost" | "not_found";

/** What became of a notice that was there before. */
export interface NoticeChange {
  readonly id: string;
  readonly state: NoticeRecord["state"];
  readonly settledBy: string | null;
}

export type NoticeChangeListener = (changes: readonly NoticeChange[]) => void;

/** Kinds that tell of an end: whoever has learned it in another way needs none of them. */
export const endKinds = ["process.ended", "process.limit-reached"] as const satisfies readonly NoticeKind[];

export class Notices {
  readonly #db: Kysely<StoreTables>;
  readonly #listeners = new Set<NoticeChangeListener>();

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** Called when notices were settled, or are owed again. Returns how to stop. */
  listen(listener: NoticeChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
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
    const row = await matching(counted, { ...query, states: ["pending"], held: true }).executeTakeFirst();
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
      (eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", claim.nowMs)]),
    );
    if (claim.exceptProcesses.length > 0) {
      free = free.where((eb) =>
        eb.or([
          eb("kind", "not in", endKinds),
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

  /** With a consumer only what that one has; without, whoever has it, by hand or by what is named. */
  async acknowledge(
    id: string,
    consumer: string | undefined,
    nowMs: number,
    by = "by hand",
  ): Promise<Settlement> {
    let update = this.#db
      .updateTable("notices")
      .set({
        state: "acknowledged",
        settled_at: nowMs,
        settled_by: consumer ?? by,
        lease_by: null,
        lease_until: null,
      })
      .where("id", "=", id)
      .where("state", "<>", "acknowledged");
    if (consumer !== undefined) update = update.where("lease_by", "=", consumer);
    if ((await update.executeTakeFirst()).numUpdatedRows > 0n) {
      this.#tell([{ id, state: "acknowledged", settledBy: consumer ?? by }]);
      return "done";
    }
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
      .set({
        state: "pending",
        observed_at: null,
        settled_at: null,
        settled_by: null,
        lease_by: null,
        lease_until: null,
      })
      .where("id", "=", id)
      .executeTakeFirst();
    if (result.numUpdatedRows === 0n) return false;
    this.#tell([{ id, state: "pending", settledBy: null }]);
    return true;
  }

  /** The session has learned the end in another way. */
  async markEndSeen(processId: string, session: string, by: string, nowMs: number): Promise<void> {
    const rows = await this.#db
      .updateTable("notices")
      .set({ state: "seen", settled_at: nowMs, settled_by: by, lease_by: null, lease_until: null })
      .where("process_id", "=", processId)
      .where("kind", "in", endKinds)
      .where("session", "=", session)
      .where("state", "=", "pending")
      .returning("id")
      .execute();
    this.#tell(rows.map(({ id }) => ({ id, state: "seen", settledBy: by })));
  }

  /** The session has looked at the process and saw its end: its own list of unread ones need not say it again. */
  async markEndObserved(processId: string, session: string, nowMs: number): Promise<void> {
    await this.#db
      .updateTable("notices")
      .set({ observed_at: nowMs })
      .where("process_id", "=", processId)
      .where("kind", "in", endKinds)
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

  #tell(changes: readonly NoticeChange[]): void {
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
  }

  /** For a store that takes another's place: cursors go on from the clock, as those of events do. */
  async beginAnew(atMs: number): Promise<void> {
    await sql`insert into sqlite_sequence (name, seq) values ('notices', ${atMs})`.execute(this.#db);
  }

  /** Takes out what happened or was settled before these times; tells which of them somebody was still owed. */
  async expire(before: { readonly pendingMs: number; readonly settledMs: number }): Promise<NoticeRecord[]> {
    await this.#db
      .deleteFrom("notices")
      .where("state", "<>", "pending")
      .where((eb) => eb(eb.fn.coalesce("settled_at", "at"), "<", before.settledMs))
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
