// Shares the thread between terminals: each draws for a few milliseconds, then the next one that has something to draw.

export interface Sliced {
  /** Works until this moment of the clock. True: there is more to do. */
  slice(until: number): boolean;
}

// Short enough that a key pressed in another terminal is drawn before anybody notices a wait.
const sliceMs = 4;

export class Slices {
  readonly #ready = new Set<Sliced>();
  #isScheduled = false;

  add(sliced: Sliced): void {
    this.#ready.add(sliced);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  remove(sliced: Sliced): void {
    this.#ready.delete(sliced);
  }

  /** One of them: between two, what came meanwhile is read and sent. */
  #run(): void {
    this.#isScheduled = false;
    const [first] = this.#ready;
    if (first === undefined) return;
    // Behind the others, if it comes again.
    this.#ready.delete(first);
    if (first.slice(performance.now() + sliceMs)) this.#ready.add(first);
    const [next] = this.#ready;
    if (next !== undefined) this.add(next);
  }
}
