// What is remembered of sessions: when they were last active, who is busy with them, what they wait for.
import { sql, type Kysely, type Selectable } from "kysely";
import type { SessionRow, StoreTables } from "./tables.ts";

/** Times are milliseconds since 1970. */
export interface SessionRecord {
  readonly key: string;
  readonly activeAt: number;
  readonly busyBy: string | null;
  readonly busyUntil: number | null;
  readonly resumptions: number;
  readonly barrier: Readonly<Record<string, unknown>> | null;
  /** Of its shell, if it has one. */
  readonly cwd: string | null;
}

export interface SessionChanges {
  readonly busyBy?: string | null;
  readonly busyUntil?: number | null;
  readonly resumptions?: number;
  readonly barrier?: Readonly<Record<string, unknown>> | null;
  readonly cwd?: string | null;
}

function toRecord(row: Selectable<SessionRow>): SessionRecord {
  return {
    key: row.key,
    activeAt: row.active_at,
    busyBy: row.busy_by,
    busyUntil: row.busy_until,
    resumptions: row.resumptions,
    barrier: row.barrier === null ? null : (JSON.parse(row.barrier) as SessionRecord["barrier"]),
    cwd: row.cwd,
  };
}

function toRow(changes: SessionChanges): Partial<Omit<SessionRow, "resumptions">> & { resumptions?: number } {
  const { busyBy, busyUntil, resumptions, barrier, cwd } = changes;
  return {
    ...(busyBy === undefined ? {} : { busy_by: busyBy }),
    ...(busyUntil === undefined ? {} : { busy_until: busyUntil }),
    ...(resumptions === undefined ? {} : { resumptions }),
    ...(barrier === undefined ? {} : { barrier: barrier === null ? null : JSON.stringify(barrier) }),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

export class Sessions {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  async get(key: string): Promise<SessionRecord | undefined> {
    const row = await this.#db.selectFrom("sessions").selectAll().where("key", "=", key).executeTakeFirst();
    return row === undefined ? undefined : toRecord(row);
  }

  /** Those that have not ended, the last active first. */
  async open(): Promise<SessionRecord[]> {
    const query = this.#db
      .selectFrom("sessions")
      .selectAll()
      .where("ended_at", "is", null)
      // What counts resumptions of a sink is nobody's session.
      .where("key", "not like", "sink:%");
    return (await query.orderBy("active_at", "desc").orderBy("key").execute()).map(toRecord);
  }

  /** For good: what a later command of this key finds is a new session. How often it was resumed is still known. */
  async end(key: string, nowMs: number): Promise<void> {
    const row = { ended_at: nowMs, busy_by: null, busy_until: null, barrier: null, cwd: null };
    await this.#db.updateTable("sessions").set(row).where("key", "=", key).execute();
  }

  /** Makes the session if it is new, or had ended. */
  async change(key: string, changes: SessionChanges, nowMs: number): Promise<void> {
    const row = { ...toRow(changes), active_at: nowMs, ended_at: null };
    await this.#db
      .insertInto("sessions")
      .values({ key, created_at: nowMs, busy_by: null, busy_until: null, barrier: null, cwd: null, ...row })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
  }

  /** False while somebody else is busy with it; decided and written in one step. */
  async takeBusy(
    key: string,
    { by, untilMs, nowMs }: { readonly by: string; readonly untilMs: number; readonly nowMs: number },
  ): Promise<boolean> {
    const row = { busy_by: by, busy_until: untilMs, active_at: nowMs, ended_at: null };
    const result = await this.#db
      .insertInto("sessions")
      .values({ key, created_at: nowMs, barrier: null, cwd: null, ...row })
      .onConflict((conflict) =>
        conflict
          .column("key")
          .doUpdateSet(row)
          .where((eb) =>
            eb.or([
              eb("sessions.busy_until", "is", null),
              eb("sessions.busy_until", "<=", nowMs),
              eb("sessions.busy_by", "=", by),
            ]),
          ),
      )
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** One more resumption without a person; counted in one step, since several sinks may do so. */
  async countResumption(key: string, nowMs: number): Promise<void> {
    await this.#db
      .insertInto("sessions")
      .values({
        key,
        created_at: nowMs,
        active_at: nowMs,
        busy_by: null,
        busy_until: null,
        barrier: null,
        cwd: null,
        ended_at: null,
        resumptions: 1,
      })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ resumptions: sql`resumptions + 1` }))
      .execute();
  }

  /** Takes the barrier away if it is still this one: another may have been set meanwhile. */
  async dropBarrier(key: string, barrier: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#db
      .updateTable("sessions")
      .set({ barrier: null })
      .where("key", "=", key)
      .where("barrier", "=", JSON.stringify(barrier))
      .execute();
  }

  /** Forgets those of which nothing was heard since then, unless something is to be remembered of them. */
  async deleteInactive(beforeMs: number): Promise<void> {
    await this.#db
      .deleteFrom("sessions")
      .where("active_at", "<", beforeMs)
      .where("barrier", "is", null)
      .where("cwd", "is", null)
      .execute();
  }
}
