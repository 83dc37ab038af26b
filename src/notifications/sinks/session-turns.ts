// One resumption of a session at a time, whichever sink it comes from.

export class SessionTurns {
  readonly #taken = new Map<string, PromiseWithResolvers<void>>();

  /** Resolves when whoever has the turn gives it back; undefined when nobody has it. */
  ahead(session: string): Promise<void> | undefined {
    return this.#taken.get(session)?.promise;
  }

  /** Only when nobody has it. Call the result when it is over. */
  take(session: string): () => void {
    const turn = Promise.withResolvers<void>();
    this.#taken.set(session, turn);
    return () => {
      this.#taken.delete(session);
      turn.resolve();
    };
  }
}
