// Notices that wait for others: each is there from the commit of what it reports, and is shown to nobody until what belongs before it
// has been told. Then it gets a new place behind that, so that readers by cursor get both in their order.
import type { Compilable, Kysely } from "kysely";
import { heldBy, toNoticeRow, type NewNotice } from "./new-notice.ts";
import type { Run } from "./shared-commit.ts";
import type { Statements } from "./statements.ts";
import type { NoticeRow, StoreTables } from "./tables.ts";

export class HeldNotices {
  readonly #statements: Statements;
  readonly #deleteText: string;
  readonly #takeText: string;

  constructor(db: Kysely<StoreTables>, statements: Statements) {
    this.#statements = statements;
    const held = db.deleteFrom("notices").where("lease_by", "=", heldBy).returningAll();
    this.#deleteText = sqlOf(held.where("id", "=", ""));
    this.#takeText = sqlOf(held.where("process_id", "=", ""));
  }

  /** In the place of the one that is held. One that its session has seen meanwhile, or somebody acknowledged, stays as it is. */
  tell(run: Run, notice: NewNotice): void {
    const row = toNoticeRow(notice);
    const [before] = run<NoticeRow>(this.#deleteText, [heldBy, row.id]).rows;
    this.#statements.insertNoticeRow(run, { ...row, observed_at: before?.observed_at ?? null });
  }

  /** All about a process, as they are: nothing more comes before them. */
  tellAllOf(run: Run, processId: string): Pick<NewNotice, "state">[] {
    const { rows } = run<NoticeRow>(this.#takeText, [heldBy, processId]);
    for (const { seq: _seq, attempts: _attempts, ...row } of rows)
      this.#statements.insertNoticeRow(run, { ...row, lease_by: null, lease_until: null });
    return rows.map(({ state }) => ({ state: state === "pending" ? "pending" : "recorded" }));
  }
}

function sqlOf(query: Compilable): string {
  return query.compile().sql;
}
