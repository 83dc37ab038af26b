// What becomes of approvals and grants, with what is owed and what is put on record.
import type { Kysely } from "kysely";
import type { ApprovalRecord } from "./approvals.ts";
import type { AuditRecord } from "./audit.ts";
import type { Committer } from "./committer.ts";
import type { GrantRecord } from "./grants.ts";
import type { NewNotice } from "./new-notice.ts";
import { PolicyStatements } from "./policy-statements.ts";
import type { Statements } from "./statements.ts";
import type { StoreTables } from "./tables.ts";

export interface ApprovalChange {
  readonly record: ApprovalRecord;
  readonly grants?: readonly GrantRecord[];
  readonly notices?: readonly NewNotice[];
  readonly audit?: AuditRecord;
}

export class PolicyCommits {
  readonly #committer: Committer;
  readonly #notices: Statements;
  readonly #statements: PolicyStatements;

  constructor(committer: Committer, db: Kysely<StoreTables>, statements: Statements) {
    this.#committer = committer;
    this.#notices = statements;
    this.#statements = new PolicyStatements(db);
  }

  async changeApproval(
    by: { readonly id: string } | { readonly digest: string },
    change: (before: ApprovalRecord | undefined) => ApprovalChange,
  ): Promise<ApprovalRecord> {
    const statements = this.#statements;
    const { record, notices = [] } = await this.#committer.change((run) => {
      const before =
        "id" in by ? statements.readApproval(run, by.id) : statements.readByDigest(run, by.digest);
      const changed = change(before);
      if (changed.record !== before) statements.writeApproval(run, changed.record);
      for (const grant of changed.grants ?? []) statements.insertGrant(run, grant);
      for (const notice of changed.notices ?? []) this.#notices.insertNotice(run, notice);
      if (changed.audit !== undefined) statements.insertAudit(run, changed.audit);
      return changed;
    });
    this.#committer.tell(notices);
    return record;
  }

  async addAudit(audit: AuditRecord, grant?: GrantRecord): Promise<void> {
    await this.#committer.change((run) => {
      if (grant !== undefined) this.#statements.insertGrant(run, grant);
      this.#statements.insertAudit(run, audit);
    });
  }

  async endGrants(
    by: { readonly session: string } | { readonly grant: string },
    audit: AuditRecord,
  ): Promise<number> {
    return await this.#committer.change((run) => {
      const ended = this.#statements.deleteGrants(run, by);
      if (ended > 0) this.#statements.insertAudit(run, audit);
      return ended;
    });
  }
}
