// The statements of a step of watching, all in the transaction of whoever runs them.
import { type Compilable, type Kysely } from "kysely";
import type { Run } from "./shared-commit.ts";
import { StatementTexts } from "./statement-texts.ts";
import type { StoreTables } from "./tables.ts";
import {
  breakerKey,
  type StoredHits,
  type WatchAdvance,
  type WatchProgress,
  type WatchRecord,
} from "./watches.ts";

export class WatchStatements {
  readonly #db: Kysely<StoreTables>;
  readonly #texts = new StatementTexts();

  constructor(db: Kysely<StoreTables>) {
    this.#db = db;
  }

  /** Everything but the notices. */
  advance(run: Run, advance: WatchAdvance): void {
    const { at, processId, progress, added, hits, ended, breaker } = advance;
    for (const watch of added ?? []) this.#insertWatch(run, watch);
    if (processId !== null && progress !== undefined) this.#writeProgress(run, processId, progress);
    for (const found of hits ?? []) this.#addHits(run, at, found);
    for (const id of ended ?? []) this.#endWatch(run, id);
    if (breaker !== undefined) this.#writeMeta(run, breakerKey, breaker);
  }

  /** False if there was none. */
  remove(run: Run, id: string): boolean {
    const text = this.#texts.of("remove", () => this.#db.deleteFrom("watches").where("id", "=", id));
    return (run(text, [id]).numAffectedRows ?? 0n) > 0n;
  }

  #insertWatch(run: Run, watch: WatchRecord): void {
    const row = {
      id: watch.id,
      process_id: watch.processId,
      spec: JSON.stringify(watch.spec),
      state: watch.state,
      from_offset: watch.fromOffset,
      created_at: watch.createdAt,
    };
    run(
      this.#texts.of("insert", () => this.#db.insertInto("watches").values(row)),
      Object.values(row),
    );
  }

  #writeProgress(run: Run, processId: string, progress: WatchProgress): void {
    const changes = { resume_at: progress.resumeAt, push: progress.push, gaps: progress.gaps };
    const row = { process_id: processId, ...changes };
    const make = (): Compilable =>
      this.#db
        .insertInto("watch_progress")
        .values(row)
        .onConflict((conflict) => conflict.column("process_id").doUpdateSet(changes));
    run(this.#texts.of("progress", make), [...Object.values(row), ...Object.values(changes)]);
  }

  #addHits(run: Run, at: number, { watch, count, offset, segments }: StoredHits): void {
    const make = (): Compilable =>
      this.#db
        .updateTable("watches")
        .set(({ eb }) => ({ hits: eb("hits", "+", count), last_hit_at: at, last_hit_offset: offset }))
        .where("id", "=", watch);
    const changed = run(this.#texts.of("hits", make), [count, at, offset, watch]).numAffectedRows ?? 0n;
    if (changed === 0n) return; // removed meanwhile
    for (const [segment, hits] of segments) this.#addCount(run, { watch_id: watch, segment, hits });
  }

  #addCount(run: Run, row: { watch_id: string; segment: number; hits: number }): void {
    const make = (): Compilable =>
      this.#db
        .insertInto("watch_counts")
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(["watch_id", "segment"])
            .doUpdateSet(({ eb }) => ({ hits: eb("watch_counts.hits", "+", eb.ref("excluded.hits")) })),
        );
    run(this.#texts.of("count", make), Object.values(row));
  }

  #endWatch(run: Run, id: string): void {
    const make = (): Compilable =>
      this.#db.updateTable("watches").set({ state: "ended" }).where("id", "=", id);
    run(this.#texts.of("end", make), ["ended", id]);
  }

  #writeMeta(run: Run, key: string, value: string): void {
    const make = (): Compilable =>
      this.#db
        .insertInto("meta")
        .values({ key, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }));
    run(this.#texts.of("meta", make), [key, value, value]);
  }
}
