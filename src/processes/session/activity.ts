// When each session was last heard of: every call and every open stream of it counts, a dropped connection does not.
import type { Store } from "../../store/index.ts";

export interface SessionActivityOptions {
  readonly store: Store;
  readonly endAfterMs: () => number;
  readonly report: (message: string, cause?: unknown) => void;
}

// Kept in memory to the millisecond, and stored so often: a daemon that is killed forgets no more than that.
const mostUnstoredMs = 60_000;
const storedParts = 10;
const mostGraceMs = 300_000;

export class SessionActivity {
  readonly #options: SessionActivityOptions;
  readonly #connected = new Map<string, number>();
  readonly #heardAt = new Map<string, number>();
  readonly #storedAt = new Map<string, number>();
  readonly #openedAt = Date.now();

  constructor(options: SessionActivityOptions) {
    this.#options = options;
  }

  /** Somebody speaks for the session until what is returned is called. */
  begin(session: string | undefined): () => void {
    if (session === undefined) return () => undefined;
    this.#connected.set(session, (this.#connected.get(session) ?? 0) + 1);
    this.touch(session);
    return () => {
      const left = (this.#connected.get(session) ?? 1) - 1;
      if (left > 0) this.#connected.set(session, left);
      else this.#connected.delete(session);
      // Not if it has ended meanwhile: whoever ends it does not begin it again by that.
      if (this.#heardAt.has(session)) this.touch(session);
    };
  }

  touch(session: string, nowMs: number = Date.now()): void {
    this.#heardAt.set(session, nowMs);
    const { store, endAfterMs, report } = this.#options;
    const everyMs = Math.min(mostUnstoredMs, endAfterMs() / storedParts);
    if (store.access !== "read-write" || nowMs - (this.#storedAt.get(session) ?? 0) < everyMs) return;
    this.#storedAt.set(session, nowMs);
    store.sessions
      .change(session, {}, nowMs)
      .catch((error: unknown) => report(`That session ${session} was active cannot be stored.`, error));
  }

  isConnected(session: string): boolean {
    return this.#connected.has(session);
  }

  /** Since this daemon started. */
  heardAt(session: string): number | undefined {
    return this.#heardAt.get(session);
  }

  /** Nobody could connect while there was no daemon: whoever wants to has this long from its start on. */
  get graceUntil(): number {
    return this.#openedAt + Math.min(this.#options.endAfterMs(), mostGraceMs);
  }

  /** The session has ended: the next word of it begins a new one. */
  forget(session: string): void {
    this.#heardAt.delete(session);
    this.#storedAt.delete(session);
  }
}
