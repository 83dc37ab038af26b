// What becomes of a process, and all that belongs to it, in one commit each.
import type { Kysely } from "kysely";
import type { Committer } from "./committer.ts";
import { toEventRow, type NewEvent } from "./events.ts";
import { HeldNotices } from "./held-notices.ts";
import type { NewNotice } from "./new-notice.ts";
import { toRow, type ProcessRecord } from "./process-record.ts";
import { changedColumns, type ProcessChanges } from "./processes.ts";
import type { Run } from "./shared-commit.ts";
import { Statements } from "./statements.ts";
import type { StoreTables } from "./tables.ts";
import { WatchStatements } from "./watch-statements.ts";
import type { WatchAdvance } from "./watches.ts";

export class ProcessCommits {
  readonly #committer: Committer;
  readonly #statements: Statements;
  readonly #watches: WatchStatements;
  readonly #held: HeldNotices;

  constructor(committer: Committer, db: Kysely<StoreTables>, statements: Statements) {
    this.#committer = committer;
    this.#statements = statements;
    this.#watches = new WatchStatements(db);
    this.#held = new HeldNotices(db, statements);
  }

  async insert(record: ProcessRecord): Promise<void> {
    await this.#committer.change((run) => {
      this.#statements.insertProcess(run, toRow(record));
      this.#statements.insertLabels(run, record.id, record.labels);
      this.#statements.insertWatches(run, record);
    });
  }

  async change(
    id: string,
    changes: ProcessChanges,
    event: NewEvent,
    {
      notices,
      advance,
    }: { readonly notices: readonly NewNotice[]; readonly advance?: WatchAdvance | undefined },
  ): Promise<number> {
    const cursor = await this.#committer.change((run) => {
      this.#statements.updateProcess(run, id, changedColumns(changes));
      if (advance !== undefined) this.#advance(run, advance);
      for (const notice of notices) this.#statements.insertNotice(run, notice);
      return this.#statements.appendEvent(run, toEventRow(event));
    });
    this.#committer.tell([...notices, ...noticesOf(advance)]);
    return cursor;
  }

  /** What was held about it is told: nothing more comes before that. */
  async remove(id: string, event: NewEvent): Promise<number> {
    const { told, cursor } = await this.#committer.change((run) => {
      this.#statements.deleteProcess(run, id);
      return {
        told: this.#held.tellAllOf(run, id),
        cursor: this.#statements.appendEvent(run, toEventRow(event)),
      };
    });
    this.#committer.tell(told);
    return cursor;
  }

  async advanceWatches(advance: WatchAdvance): Promise<void> {
    await this.#committer.change((run) => this.#advance(run, advance));
    this.#committer.tell(noticesOf(advance));
  }

  async removeWatch(id: string): Promise<boolean> {
    return await this.#committer.change((run) => this.#watches.remove(run, id));
  }

  #advance(run: Run, advance: WatchAdvance): void {
    this.#watches.advance(run, advance);
    for (const notice of advance.notices ?? []) this.#statements.insertNotice(run, notice);
    for (const notice of advance.heldNotices ?? []) this.#held.tell(run, notice);
  }
}

function noticesOf(advance: WatchAdvance | undefined): readonly NewNotice[] {
  return [...(advance?.notices ?? []), ...(advance?.heldNotices ?? [])];
}
