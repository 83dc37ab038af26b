// The audit log: what was decided about commands, by what and by whom. Bounded by age and by number.
import type { Kysely } from "kysely";
import type { AuditEntry, Decision } from "../protocol/policy.ts";
import type { AuditRow, StoreTables } from "./tables.ts";

/** `at` is milliseconds since 1970. */
export interface AuditRecord extends Omit<AuditEntry, "at" | "cursor"> {
  readonly at: number;
}

export interface AuditFilter {
  readonly session?: string | undefined;
  readonly decision?: Decision | undefined;
  /** Without it: the newest ones. */
  readonly after?: number | undefined;
  readonly limit: number;
}

const mostEntries = 100_000;

export class Audit {
  readonly #db: Kysely<StoreTables>;

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** Oldest first. */
  async list({
    session,
    decision,
    after,
    limit,
  }: AuditFilter): Promise<(AuditRecord & { cursor: number })[]> {
    let query = this.#db.selectFrom("audit").selectAll().limit(limit);
    if (session !== undefined) query = query.where("session", "=", session);
    if (decision !== undefined) query = query.where("decision", "=", decision);
    query =
      after === undefined ? query.orderBy("seq", "desc") : query.where("seq", ">", after).orderBy("seq");
    const rows = (await query.execute()).map(toAudit);
    return after === undefined ? rows.toReversed() : rows;
  }

  async trim(beforeMs: number): Promise<void> {
    await this.#db.deleteFrom("audit").where("at", "<", beforeMs).execute();
    const newest = await this.#db
      .selectFrom("audit")
      .select(({ fn }) => fn.max("seq").as("seq"))
      .executeTakeFirst();
    await this.#db
      .deleteFrom("audit")
      .where("seq", "<=", (newest?.seq ?? 0) - mostEntries)
      .execute();
  }
}

export function toAuditRow({ rules, requestId, ...entry }: AuditRecord): Omit<AuditRow, "seq"> {
  return { ...entry, rules: JSON.stringify(rules), request_id: requestId };
}

/** Types are asserted: toAuditRow has written the row. */
function toAudit(row: { [Column in keyof AuditRow]: unknown } & { seq: number }): AuditRecord & {
  cursor: number;
} {
  const { seq: cursor, rules, request_id: requestId, ...entry } = row;
  return {
    ...(entry as unknown as AuditRecord),
    cursor,
    rules: JSON.parse(String(rules)) as string[],
    requestId: String(requestId),
  };
}
