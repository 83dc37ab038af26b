// Hands what arrives in callbacks to one consumer that asks for it.

/** Unbounded by itself: whoever pushes has promised the consumer's credit as the limit. */
export class EventQueue<Event> {
  readonly #events: Event[] = [];
  #waiting: PromiseWithResolvers<Event> | undefined;
  #failure: { readonly error: Error } | undefined;

  push(event: Event): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#events.push(event);
    else waiting.resolve(event);
  }

  /** What was pushed before is still handed out first. */
  fail(error: Error): void {
    this.#failure ??= { error };
    this.#waiting?.reject(this.#failure.error);
    this.#waiting = undefined;
  }

  /** The next event; one caller at a time. */
  take(): Event | Promise<Event> {
    const event = this.#events.shift();
    if (event !== undefined) return event;
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    this.#waiting = Promise.withResolvers<Event>();
    return this.#waiting.promise;
  }
}
