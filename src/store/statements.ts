// The statements of every start and every end, all in the transaction of whoever runs them.
import type { Compilable, Kysely } from "kysely";
import type { NoticeKind } from "../protocol/notices.ts";
import { newWatchId } from "../protocol/ids.ts";
import type { ProcessRecord } from "./process-record.ts";
import type { Run } from "./shared-commit.ts";
import { toNoticeRow, type InsertedNoticeRow, type NewNotice } from "./new-notice.ts";
import { StatementTexts } from "./statement-texts.ts";
import type { EventRow, ProcessRow, StoreTables } from "./tables.ts";

export class Statements {
  readonly #db: Kysely<StoreTables>;
  readonly #texts = new StatementTexts();

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  insertProcess(run: Run, row: ProcessRow): void {
    const text = this.#texts.of("insert", () => this.#db.insertInto("processes").values(row), row);
    run(text, Object.values(row));
  }

  insertLabels(run: Run, processId: string, labels: Readonly<Record<string, string>>): void {
    for (const [key, value] of Object.entries(labels)) {
      const row = { process_id: processId, key, value };
      const text = this.#texts.of("label", () => this.#db.insertInto("process_labels").values(row));
      run(text, Object.values(row));
    }
  }

  /** Those that came with the start: they see its first byte. */
  insertWatches(run: Run, record: ProcessRecord): void {
    for (const spec of record.spec.watches) {
      const row = {
        id: newWatchId(),
        process_id: record.id,
        spec: JSON.stringify(spec),
        state: "active",
        from_offset: "from" in spec && typeof spec.from === "number" ? spec.from : 0,
        created_at: record.createdAt,
      };
      const text = this.#texts.of("watch", () => this.#db.insertInto("watches").values(row));
      run(text, Object.values(row));
    }
  }

  updateProcess(run: Run, id: string, row: Partial<ProcessRow>): void {
    const make = (): Compilable => this.#db.updateTable("processes").set(row).where("id", "=", id);
    run(this.#texts.of("update", make, row), [...Object.values(row), id]);
  }

  deleteProcess(run: Run, id: string): void {
    const make = (): Compilable => this.#db.deleteFrom("processes").where("id", "=", id);
    run(this.#texts.of("delete", make), [id]);
  }

  /** One that is there already stays as it is: the same happening is told once. Its cursor, if it is new. */
  insertNotice(run: Run, notice: NewNotice): number | undefined {
    if (notice.onlyWhileRunning === true && !this.#isLive(run, notice.processId)) return undefined;
    if (notice.overtakes !== undefined) this.#deleteOvertaken(run, notice.processId, notice.overtakes);
    return this.insertNoticeRow(run, toNoticeRow(notice));
  }

  insertNoticeRow(run: Run, row: InsertedNoticeRow): number | undefined {
    const make = (): Compilable =>
      this.#db
        .insertInto("notices")
        .values(row)
        .onConflict((conflict) => conflict.column("id").doNothing())
        .returning("seq");
    return run<{ readonly seq: number }>(this.#texts.of("notice", make, row), Object.values(row)).rows[0]
      ?.seq;
  }

  /** Its cursor. */
  appendEvent(run: Run, row: Omit<EventRow, "seq">): number {
    const make = (): Compilable => this.#db.insertInto("events").values(row).returning("seq");
    const [inserted] = run<{ readonly seq: number }>(
      this.#texts.of("event", make, row),
      Object.values(row),
    ).rows;
    return inserted?.seq ?? 0; // one row in, one row out
  }

  #isLive(run: Run, processId: string | null): boolean {
    const make = (): Compilable =>
      this.#db.selectFrom("processes").select("id").where("id", "=", "").where("state", "<>", "ended");
    return run(this.#texts.of("live", make), [processId, "ended"]).rows.length > 0;
  }

  #deleteOvertaken(run: Run, processId: string | null, kind: NoticeKind): void {
    const nowMs = Date.now();
    const make = (): Compilable =>
      this.#db
        .deleteFrom("notices")
        .where("process_id", "=", "")
        .where("kind", "=", kind)
        .where("state", "=", "pending")
        .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", nowMs)]));
    run(this.#texts.of("overtaken", make), [processId, kind, "pending", nowMs]);
  }
}
