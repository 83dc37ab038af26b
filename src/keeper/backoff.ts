// Waiting between tries: short at first, because what is waited for is usually there at once.
import { setTimeout as delay } from "node:timers/promises";

const firstDelayMs = 5;
const mostDelayMs = 100;

/** Tries until a deadline. */
export class Backoff {
  readonly #deadlineMs: number;
  #delayMs = firstDelayMs;

  constructor(timeoutMs: number) {
    this.#deadlineMs = performance.now() + timeoutMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#deadlineMs;
  }

  get remainingMs(): number {
    return Math.max(0, this.#deadlineMs - performance.now());
  }

  /** Rejects with the signal's reason. */
  async wait(signal?: AbortSignal): Promise<void> {
    const waitMs = Math.min(this.#delayMs, this.remainingMs);
    this.#delayMs = Math.min(this.#delayMs * 2, mostDelayMs);
    await delay(waitMs, undefined, signal ? { signal } : {}).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw error;
    });
  }
}
