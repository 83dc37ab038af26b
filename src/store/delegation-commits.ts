// What becomes of a delegation, with the notice that is owed for it.
import type { Compilable, Kysely } from "kysely";
import type { Committer } from "./committer.ts";
import { toDelegation, toDelegationRow, type DelegationRecord } from "./delegations.ts";
import type { NewNotice } from "./new-notice.ts";
import { StatementTexts, upsert } from "./statement-texts.ts";
import type { Statements } from "./statements.ts";
import type { DelegationRow, StoreTables } from "./tables.ts";

export interface DelegationChange {
  readonly record: DelegationRecord;
  readonly notice?: NewNotice;
}

export class DelegationCommits {
  readonly #committer: Committer;
  readonly #db: Kysely<StoreTables>;
  readonly #statements: Statements;
  readonly #texts = new StatementTexts();

  constructor(committer: Committer, db: Kysely<StoreTables>, statements: Statements) {
    this.#committer = committer;
    this.#db = db;
    this.#statements = statements;
  }

  async change(
    id: string,
    change: (before: DelegationRecord | undefined) => DelegationChange,
  ): Promise<DelegationRecord> {
    const read = (): Compilable => this.#db.selectFrom("delegations").selectAll().where("id", "=", id);
    const { record, notice } = await this.#committer.change((run) => {
      const [before] = run<DelegationRow>(this.#texts.of("read", read), [id]).rows;
      const changed = change(before === undefined ? undefined : toDelegation(before));
      const row = toDelegationRow(changed.record);
      const write = (): Compilable => upsert(this.#db, "delegations", row);
      run(this.#texts.of("write", write), Object.values(row));
      if (changed.notice !== undefined) this.#statements.insertNotice(run, changed.notice);
      return changed;
    });
    if (notice !== undefined) this.#committer.tell([notice]);
    return record;
  }
}
