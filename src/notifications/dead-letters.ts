// Sessions with deliveries that were given up. When such a session shows that it lives, they are tried again. Kept in memory, because every
// request of a session asks.
import type { Store } from "../store/index.ts";

export class DeadLetters {
  readonly #store: Store;
  readonly #sessions = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Those of earlier daemons. */
  async load(sinks: readonly string[]): Promise<void> {
    for (const { state, notice } of await this.#store.deliveries.stuck(sinks))
      if (state === "dead") this.add(notice.route.session);
  }

  add(session: string | null): void {
    if (session !== null) this.#sessions.add(session);
  }

  /** The session has asked for something. Resolves with how many are tried again. */
  async revive(session: string, nowMs: number = Date.now()): Promise<number> {
    if (!this.#sessions.delete(session)) return 0;
    return await this.#store.deliveries.retry({ session, states: ["dead"] }, nowMs);
  }

  has(session: string): boolean {
    return this.#sessions.has(session);
  }
}
