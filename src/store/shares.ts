// Which sessions may do what with a process that is not theirs.
import type { Kysely } from "kysely";
import type { Right } from "../protocol/shares.ts";
import { toAuditRow, type AuditRecord } from "./audit.ts";
import type { StoreTables } from "./tables.ts";

export interface ShareRecord {
  readonly processId: string;
  /** Null: every session. */
  readonly session: string | null;
  readonly right: Right;
  /** Who shared it. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

// No session has this key.
const everySession = "";

export class Shares {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** Of one process; everybody's first, then by key. */
  async ofProcess(processId: string): Promise<ShareRecord[]> {
    const rows = await this.#db
      .selectFrom("shares")
      .selectAll()
      .where("process_id", "=", processId)
      .orderBy("session")
      .execute();
    return rows.map(({ session, right, by, at }) => ({
      processId,
      session: session === everySession ? null : session,
      right: right as Right, // the table admits no other
      by,
      at,
    }));
  }

  /** What a session was given, by name or with all others; the larger right counts. */
  async rightOf(processId: string, session: string): Promise<Right | undefined> {
    const rows = await this.#db
      .selectFrom("shares")
      .select("right")
      .where("process_id", "=", processId)
      .where("session", "in", [session, everySession])
      .execute();
    if (rows.some(({ right }) => right === "control")) return "control";
    return rows.length > 0 ? "read" : undefined;
  }

  /** In one commit with the entry of the audit log that tells it. */
  async set(share: ShareRecord, audit: AuditRecord): Promise<void> {
    const { processId, session, right, by, at } = share;
    const row = { process_id: processId, session: session ?? everySession, right, by, at };
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .insertInto("shares")
        .values(row)
        .onConflict((conflict) => conflict.columns(["process_id", "session"]).doUpdateSet({ right, by, at }))
        .execute();
      await trx.insertInto("audit").values(toAuditRow(audit)).execute();
    });
  }

  async remove(processId: string, session: string | null, audit: AuditRecord): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom("shares")
        .where("process_id", "=", processId)
        .where("session", "=", session ?? everySession)
        .execute();
      await trx.insertInto("audit").values(toAuditRow(audit)).execute();
    });
  }

  /** Of a session that has ended: the next one of its key is another. */
  async deleteOf(session: string): Promise<void> {
    await this.#db.deleteFrom("shares").where("session", "=", session).execute();
  }
}
