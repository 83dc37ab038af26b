// Rules that no longer ask: in one session, or for everybody in a profile.
import type { Kysely } from "kysely";
import type { GrantRow, StoreTables } from "./tables.ts";

/** Times are milliseconds since 1970. */
export interface GrantRecord {
  readonly id: string;
  readonly session: string | null;
  readonly profile: string | null;
  /** Null: no rule asks. */
  readonly rule: string | null;
  /** Of the rule as it was then. */
  readonly digest: string | null;
  readonly by: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

export class Grants {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** Those that count now for a session, which may be null. */
  async of(session: string | null, nowMs: number): Promise<GrantRecord[]> {
    const rows = await this.#db
      .selectFrom("grants")
      .selectAll()
      .where((eb) => eb.or([eb("session", "is", null), eb("session", "=", session)]))
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", nowMs)]))
      .orderBy("created_at")
      .execute();
    return rows.map(toGrant);
  }

  /** Oldest first. */
  async list(nowMs: number): Promise<GrantRecord[]> {
    const rows = await this.#db
      .selectFrom("grants")
      .selectAll()
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", nowMs)]))
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(toGrant);
  }

  async deleteExpired(nowMs: number): Promise<void> {
    await this.#db.deleteFrom("grants").where("expires_at", "<=", nowMs).execute();
  }
}

export function toGrantRow(record: GrantRecord): GrantRow {
  const { id, session, profile, rule, digest, by, createdAt, expiresAt } = record;
  return { id, session, profile, rule, digest, by, created_at: createdAt, expires_at: expiresAt };
}

function toGrant(row: GrantRow): GrantRecord {
  const { id, session, profile, rule, digest, by, created_at: createdAt, expires_at: expiresAt } = row;
  return { id, session, profile, rule, digest, by, createdAt, expiresAt };
}
