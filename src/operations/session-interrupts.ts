// Waits of a session that can be ended from outside: a person speaks, and the agent must listen at once.
export class SessionInterrupts {
  readonly #waits = new Map<string, Set<AbortController>>();

  /** A signal that fires when the session is interrupted. Call `done` when the wait is over. */
  begin(session: string | undefined): { readonly signal: AbortSignal; readonly done: () => void } {
    const controller = new AbortController();
    if (session === undefined) return { signal: controller.signal, done: () => undefined };
    const waits = this.#waits.get(session) ?? new Set();
    this.#waits.set(session, waits.add(controller));
    return {
      signal: controller.signal,
      done: () => {
        waits.delete(controller);
        if (waits.size === 0) this.#waits.delete(session);
      },
    };
  }

  /** How many waits it ended. */
  interrupt(session: string): number {
    const waits = [...(this.#waits.get(session) ?? [])];
    for (const wait of waits) wait.abort();
    return waits.length;
  }
}
