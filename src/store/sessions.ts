// What is remembered of sessions: when they were last active, who is busy with them, what they wait for.
import type { Kysely } from "kysely";
import type { SessionRow, StoreTables } from "./tables.ts";

/** Times are milliseconds since 1970. */
export interface SessionRecord {
  readonly key: string;
  readonly activeAt: number;
  readonly busyBy: string | null;
  readonly busyUntil: number | null;
  readonly resumptions: number;
  readonly barrier: Readonly<Record<string, unknown>> | null;
}

export interface SessionChanges {
  readonly busyBy?: string | null;
  readonly busyUntil?: number | null;
  readonly resumptions?: number;
  readonly barrier?: Readonly<Record<string, unknown>> | null;
}

function toRow(changes: SessionChanges): Partial<Omit<SessionRow, "resumptions">> & { resumptions?: number } {
  const { busyBy, busyUntil, resumptions, barrier } = changes;
  return {
    ...(busyBy === undefined ? {} : { busy_by: busyBy }),
    ...(busyUntil === undefined ? {} : { busy_until: busyUntil }),
    ...(resumptions === undefined ? {} : { resumptions }),
    ...(barrier === undefined ? {} : { barrier: barrier === null ? null : JSON.stringify(barrier) }),
  };
}

export class Sessions {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  async get(key: string): Promise<SessionRecord | undefined> {
    const row = await this.#db.selectFrom("sessions").selectAll().where("key", "=", key).executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      key,
      activeAt: row.active_at,
      busyBy: row.busy_by,
      busyUntil: row.busy_until,
      resumptions: row.resumptions,
      barrier: row.barrier === null ? null : (JSON.parse(row.barrier) as SessionRecord["barrier"]),
    };
  }

  /** Makes the session if it is new. */
  async change(key: string, changes: SessionChanges, nowMs: number): Promise<void> {
    const row = { ...toRow(changes), active_at: nowMs };
    await this.#db
      .insertInto("sessions")
      .values({ key, created_at: nowMs, busy_by: null, busy_until: null, barrier: null, ...row })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
      .execute();
  }
}
