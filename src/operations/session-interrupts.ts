// Waits of a session that can be ended from outside: a person speaks, and the agent must listen at once.
export class SessionInterrupts {
  readonly #waits = new Map<string, Set<AbortController>>();
  #open = 0;

  /** Waits that go on, of sessions and of nobody. */
  get openCount(): number {
    return this.#open;
  }

  /** A signal that fires when the session is interrupted. Call `done` when the wait is over. */
  begin(session: string | undefined): { readonly signal: AbortSignal; readonly done: () => void } {
    const controller = new AbortController();
    this.#open += 1;
    const forget = session === undefined ? () => undefined : this.#remember(session, controller);
    return {
      signal: controller.signal,
      done: () => {
        this.#open -= 1;
        forget();
      },
    };
  }

  /** How many waits it ended. */
  interrupt(session: string): number {
    const waits = [...(this.#waits.get(session) ?? [])];
    for (const wait of waits) wait.abort();
    return waits.length;
  }

  #remember(session: string, controller: AbortController): () => void {
    const waits = this.#waits.get(session) ?? new Set();
    this.#waits.set(session, waits.add(controller));
    return () => {
      waits.delete(controller);
      if (waits.size === 0) this.#waits.delete(session);
    };
  }
}
