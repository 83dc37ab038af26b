// The statements of approvals, grants and the audit log, all in the transaction of whoever runs them.
import type { Compilable, Kysely } from "kysely";
import { toApproval, toApprovalRow, type ApprovalRecord } from "./approvals.ts";
import { toAuditRow, type AuditRecord } from "./audit.ts";
import { toGrantRow, type GrantRecord } from "./grants.ts";
import type { Run } from "./shared-commit.ts";
import { StatementTexts, upsert } from "./statement-texts.ts";
import type { ApprovalRow, StoreTables } from "./tables.ts";

export class PolicyStatements {
  readonly #db: Kysely<StoreTables>;
  readonly #texts = new StatementTexts();

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  readApproval(run: Run, id: string): ApprovalRecord | undefined {
    const make = (): Compilable => this.#db.selectFrom("approvals").selectAll().where("id", "=", id);
    const [row] = run<ApprovalRow>(this.#texts.of("read", make), [id]).rows;
    return row === undefined ? undefined : toApproval(row);
  }

  /** The newest one for the same thing. */
  readByDigest(run: Run, digest: string): ApprovalRecord | undefined {
    const make = (): Compilable =>
      this.#db
        .selectFrom("approvals")
        .selectAll()
        .where("digest", "=", digest)
        .orderBy("created_at", "desc")
        .limit(1);
    const [row] = run<ApprovalRow>(this.#texts.of("digest", make), [digest, 1]).rows;
    return row === undefined ? undefined : toApproval(row);
  }

  /** As a whole: the newest state of it. */
  writeApproval(run: Run, record: ApprovalRecord): void {
    const row = toApprovalRow(record);
    const make = (): Compilable => upsert(this.#db, "approvals", row);
    run(this.#texts.of("approval", make), Object.values(row));
  }

  insertGrant(run: Run, record: GrantRecord): void {
    const row = toGrantRow(record);
    run(
      this.#texts.of("grant", () => this.#db.insertInto("grants").values(row)),
      Object.values(row),
    );
  }

  /** How many there were. */
  deleteGrants(run: Run, by: { readonly session: string } | { readonly grant: string }): number {
    const isSession = "session" in by;
    const value = isSession ? by.session : by.grant;
    const column = isSession ? "session" : "id";
    const make = (): Compilable => this.#db.deleteFrom("grants").where(column, "=", value);
    return Number(run(this.#texts.of(`delete ${column}`, make), [value]).numAffectedRows ?? 0n);
  }

  insertAudit(run: Run, record: AuditRecord): void {
    const row = toAuditRow(record);
    // Its columns come in the order in which whoever made the entry named them.
    const text = this.#texts.of("audit", () => this.#db.insertInto("audit").values(row), row);
    run(text, Object.values(row));
  }
}
