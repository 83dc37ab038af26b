// Changes that come at the same moment are committed together: a commit costs more than a change, and sixteen starts at
// once make many of both.
import { setImmediate } from "node:timers/promises";
import type { QueryResult } from "kysely";

export type Run = <Row>(sql: string, parameters?: readonly unknown[]) => QueryResult<Row>;

export interface SharedCommitOptions {
  readonly run: Run;
  /** Resolves when nobody else uses the connection. */
  readonly take: () => Promise<unknown>;
  readonly give: () => void;
  readonly isInTransaction: () => boolean;
}

interface Change {
  /** Begins anew when a change it shared the commit with has failed. */
  readonly work: (run: Run) => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedCommit {
  readonly #options: SharedCommitOptions;
  #waiting: Change[] = [];

  constructor(options: SharedCommitOptions) {
    this.#options = options;
  }

  /** Resolves once it is committed. All of the work or nothing; what fails fails alone. */
  async add<Result>(work: (run: Run) => Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    // Given the result of its own work.
    this.#waiting.push({ work, resolve: resolve as (result: unknown) => void, reject });
    if (this.#waiting.length === 1) void this.#commitSoon();
    return await promise;
  }

  async #commitSoon(): Promise<void> {
    try {
      await this.#options.take();
    } catch (error) {
      for (const change of this.#waiting.splice(0)) change.reject(error);
      return;
    }
    // What else has arrived by now is read first, and comes along.
    await setImmediate();
    const changes = this.#waiting.splice(0);
    if (!this.#commit(changes)) for (const change of changes) this.#commit([change]);
    this.#options.give();
  }

  /** False when several failed together: which of them is to blame is seen when each is alone. */
  #commit(changes: readonly Change[]): boolean {
    const { run, isInTransaction } = this.#options;
    try {
      // Immediate: one that begins as a reader cannot wait for its turn to write, it fails at once.
      run("begin immediate");
      const results = changes.map(({ work }) => work(run));
      run("commit");
      for (const [index, { resolve }] of changes.entries()) resolve(results[index]);
      return true;
    } catch (error) {
      // A full disk makes SQLite roll back by itself; to ask again would hide that error behind another.
      if (isInTransaction()) run("rollback");
      if (changes.length > 1) return false;
      for (const { reject } of changes) reject(error);
      return true;
    }
  }
}
