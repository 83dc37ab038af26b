// What commits of every kind share: one transaction each, and whoever wants to hear that it has brought a notice.
import type { NewNotice } from "./new-notice.ts";
import type { Run } from "./shared-commit.ts";
import type { SqliteDialect } from "./sqlite-dialect.ts";

/** isOwed: somebody is owed what has come; else it is only listed. */
export type NoticeListener = (isOwed: boolean) => void;

export class Committer {
  readonly #dialect: SqliteDialect;
  readonly #listeners = new Set<NoticeListener>();

  constructor(dialect: SqliteDialect) {
    this.#dialect = dialect;
  }

  /** All of the work or nothing, without a pause in it. */
  async change<Result>(work: (run: Run) => Result): Promise<Result> {
    return await this.#dialect.change(work);
  }

  /** Called after every commit that may have brought a notice. Returns how to stop listening. */
  listen(listener: NoticeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** These are committed. */
  tell(notices: readonly Pick<NewNotice, "state">[]): void {
    if (notices.length === 0) return;
    const isOwed = notices.some(({ state }) => state === "pending");
    for (const listener of this.#listeners) listener(isOwed);
  }
}
