// The statements of approvals, grants and the audit log, all in the transaction of whoever runs them.
import type { Compilable, Kysely } from "kysely";
import { toApproval, toApprovalRow, type ApprovalRecord } from "./approvals.ts";
import { toAuditRow, type AuditRecord } from "./audit.ts";
import { toGrantRow, type GrantRecord } from "./grants.ts";
import type { Run } from "./shared-commit.ts";
import type { ApprovalRow, StoreTables } from "./tables.ts";

export class PolicyStatements {
  readonly #db: Kysely<StoreTables>;
  readonly #texts = new Map<string, string>();

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  readApproval(run: Run, id: string): ApprovalRecord | undefined {
    const make = (): Compilable => this.#db.selectFrom("approvals").selectAll().where("id", "=", id);
    const [row] = run<ApprovalRow>(this.#text("read", make), [id]).rows;
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
    const [row] = run<ApprovalRow>(this.#text("digest", make), [digest, 1]).rows;
    return row === undefined ? undefined : toApproval(row);
  }

  /** As a whole: the newest state of it. */
  writeApproval(run: Run, record: ApprovalRecord): void {
    const row = toApprovalRow(record);
    const make = (): Compilable => {
      const { id: _id, ...changes } = row;
      const columns = Object.keys(changes) as (keyof typeof changes)[];
      return this.#db
        .insertInto("approvals")
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column("id")
            .doUpdateSet((eb) =>
              Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)])),
            ),
        );
    };
    run(this.#text("approval", make), Object.values(row));
  }

  insertGrant(run: Run, record: GrantRecord): void {
    const row = toGrantRow(record);
    run(
      this.#text("grant", () => this.#db.insertInto("grants").values(row)),
      Object.values(row),
    );
  }

  /** How many there were. */
  deleteGrants(run: Run, by: { readonly session: string } | { readonly grant: string }): number {
    const isSession = "session" in by;
    const value = isSession ? by.session : by.grant;
    const column = isSession ? "session" : "id";
    const make = (): Compilable => this.#db.deleteFrom("grants").where(column, "=", value);
    return Number(run(this.#text(`delete ${column}`, make), [value]).numAffectedRows ?? 0n);
  }

  insertAudit(run: Run, record: AuditRecord): void {
    const row = toAuditRow(record);
    // Its columns come in the order in which whoever made the entry named them.
    const key = `audit ${Object.keys(row).join(" ")}`;
    run(
      this.#text(key, () => this.#db.insertInto("audit").values(row)),
      Object.values(row),
    );
  }

  #text(key: string, make: () => Compilable): string {
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = make().compile().sql;
      this.#texts.set(key, text);
    }
    return text;
  }
}
