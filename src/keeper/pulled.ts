// Turns a source that calls its consumer into one that is asked, for whoever wants a loop.

/** Calls the consumer, waiting for it each time, until there is no more or the signal fires. */
export type Source<Event> = (
  consume: (events: readonly Event[]) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

/** The source begins with the first question, and is stopped by whoever leaves the loop. */
export async function* pulled<Event>(
  source: Source<Event>,
  signal?: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  signal?.throwIfAborted();
  const leaving = new AbortController();
  const abort = (): void => leaving.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  const handover = new Handover<Event>();
  const running = source((events) => handover.give(events), leaving.signal).then(
    () => handover.end(),
    (error: unknown) => handover.fail(error),
  );
  try {
    for (let events = await handover.next(); events !== undefined; events = await handover.next()) {
      for (const event of events) {
        leaving.signal.throwIfAborted();
        yield event;
      }
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    const reason = new Error("Its reader has left.");
    leaving.abort(reason);
    handover.leave(reason);
    await running;
  }
}

/** One thing at a time passes from the source to the reader. */
class Handover<Event> {
  #given: { readonly events: readonly Event[]; readonly taken: () => void } | undefined;
  /** Of what the reader has now. */
  #taken: (() => void) | undefined;
  #over: { readonly failure?: { readonly error: unknown } } | undefined;
  #wake: (() => void) | undefined;
  #left: { readonly reason: Error } | undefined;

  /** Resolves when the reader asks for what comes after it. @throws when it has left */
  async give(events: readonly Event[]): Promise<void> {
    if (this.#left !== undefined) throw this.#left.reason;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#given = { events, taken: resolve };
    this.#wake?.();
    await promise;
  }

  /** A source that waits for its reader, and not for the signal, goes on to hear that there is none. */
  leave(reason: Error): void {
    this.#left = { reason };
    this.#taken?.();
    this.#given?.taken();
  }

  end(): void {
    this.#over = {};
    this.#wake?.();
  }

  fail(error: unknown): void {
    this.#over = { failure: { error } };
    this.#wake?.();
  }

  /** Undefined after the end. @throws what the source failed with */
  async next(): Promise<readonly Event[] | undefined> {
    this.#taken?.();
    this.#taken = undefined;
    while (this.#given === undefined) {
      if (this.#over?.failure !== undefined) throw this.#over.failure.error;
      if (this.#over !== undefined) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
      this.#wake = undefined;
    }
    const { events, taken } = this.#given;
    this.#given = undefined;
    this.#taken = taken;
    return events;
  }
}
