// How many bytes of output a client has said it can take.

// A client that promises to read everything at once still holds no more than this of the daemon.
const mostCreditBytes = 16 * 1024 * 1024;

export class Credit {
  #bytes: number;
  #isOver = false;
  #wake: (() => void) | undefined;

  constructor(bytes: number, signal: AbortSignal) {
    this.#bytes = Math.min(bytes, mostCreditBytes);
    signal.addEventListener(
      "abort",
      () => {
        this.#isOver = true;
        this.#wake?.();
      },
      { once: true },
    );
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(bytes: number): void {
    this.#bytes = Math.min(this.#bytes + bytes, mostCreditBytes);
    if (this.#bytes > 0) this.#wake?.();
  }

  /** At most `wanted`, and what there is of it. */
  take(wanted: number): number {
    const taken = Math.min(wanted, this.#bytes);
    this.#bytes -= taken;
    return taken;
  }

  /** Resolves when there is some, or when the connection is gone. One caller at a time. */
  async available(): Promise<void> {
    while (this.#bytes === 0 && !this.#isOver) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
      this.#wake = undefined;
    }
  }
}
