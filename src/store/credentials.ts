// What people and programs enter with by the network: sessions of browsers, and tokens. Secrets are kept as digests.
import type { Kysely, Selectable } from "kysely";
import type { Role, SignedInBy } from "../protocol/access.ts";
import type { CredentialRow, StoreTables } from "./tables.ts";

/** Times are milliseconds since 1970. */
export interface CredentialRecord {
  readonly id: string;
  readonly kind: "session" | "token";
  /** SHA-256 of the secret. */
  readonly digest: string;
  /** Of the person; of a token, its own. */
  readonly name: string;
  readonly role: Role;
  readonly via: SignedInBy;
  /** Of what the sign-in rested on: when that changes, it is over. */
  readonly proof: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly expiresAt: number | null;
  /** Coarse. */
  readonly usedAt: number | null;
}

export class Credentials {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** @throws HoldfastError STORE_CONFLICT: a token has this name */
  async insert(record: CredentialRecord): Promise<void> {
    await this.#db.insertInto("credentials").values(toRow(record)).execute();
  }

  async byDigest(digest: string): Promise<CredentialRecord | undefined> {
    const query = this.#db.selectFrom("credentials").selectAll().where("digest", "=", digest);
    const row = await query.executeTakeFirst();
    return row === undefined ? undefined : toCredential(row);
  }

  async get(id: string): Promise<CredentialRecord | undefined> {
    const query = this.#db.selectFrom("credentials").selectAll().where("id", "=", id);
    const row = await query.executeTakeFirst();
    return row === undefined ? undefined : toCredential(row);
  }

  /** Oldest first. */
  async list(kind: CredentialRecord["kind"]): Promise<CredentialRecord[]> {
    const query = this.#db.selectFrom("credentials").selectAll().where("kind", "=", kind);
    return (await query.orderBy("created_at").orderBy("id").execute()).map(toCredential);
  }

  async hasLive(nowMs: number): Promise<boolean> {
    const row = await this.#db
      .selectFrom("credentials")
      .select("id")
      .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", nowMs)]))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async used(id: string, atMs: number): Promise<void> {
    await this.#db.updateTable("credentials").set({ used_at: atMs }).where("id", "=", id).execute();
  }

  /** False if there is none. */
  async delete(id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom("credentials")
      .where("id", "=", id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async deleteExpired(nowMs: number): Promise<void> {
    await this.#db.deleteFrom("credentials").where("expires_at", "<=", nowMs).execute();
  }

  /** Of one kind, all but the newest ones. */
  async keepNewest(kind: CredentialRecord["kind"], count: number): Promise<void> {
    const newest = this.#db
      .selectFrom("credentials")
      .select("id")
      .where("kind", "=", kind)
      .orderBy("created_at", "desc")
      .limit(count);
    await this.#db.deleteFrom("credentials").where("kind", "=", kind).where("id", "not in", newest).execute();
  }
}

function toRow(record: CredentialRecord): CredentialRow {
  const { createdAt, createdBy, expiresAt, usedAt, ...same } = record;
  return { ...same, created_at: createdAt, created_by: createdBy, expires_at: expiresAt, used_at: usedAt };
}

/** Types are asserted: toRow has written the row. */
function toCredential(row: Selectable<CredentialRow>): CredentialRecord {
  const { created_at, created_by, expires_at, used_at, ...same } = row;
  return {
    ...(same as Pick<CredentialRecord, "id" | "kind" | "digest" | "name" | "role" | "via" | "proof">),
    createdAt: created_at,
    createdBy: created_by,
    expiresAt: expires_at,
    usedAt: used_at,
  };
}
