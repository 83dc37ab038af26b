// Wakes whoever waits for a lock. The kernel tells when a claim is removed; nobody tells when its owner dies or is stopped, so that is
// looked for from time to time.
import { watch, type FSWatcher } from "node:fs";
import { isErrno } from "./system-error.ts";

/** How late the end of an owner that could not release its lock may be noticed. One look is two small reads. */
export const ownerLookMs = 500;

export class LockWatch {
  readonly #changed = Promise.withResolvers<void>();
  readonly #lookMs: number;
  #watcher: FSWatcher | undefined;

  /** From here on no change is missed: look at the lock afterwards. */
  constructor(path: string, lookMs: number = ownerLookMs) {
    this.#lookMs = lookMs;
    try {
      this.#watcher = watch(path, () => this.#changed.resolve());
      this.#watcher.on("error", () => this.#changed.resolve());
    } catch (error) {
      // Free by now. Anything else (no more watches for this user) leaves only looking from time to time.
      if (isErrno(error, "ENOENT")) this.#changed.resolve();
    }
  }

  /** Resolves when something changed, or when it is time to look again. @throws the signal's reason */
  async wait(mostMs: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal?.reason as Error); // whatever the caller aborts with
    signal?.addEventListener("abort", abort, { once: true });
    const timer = setTimeout(() => this.#changed.resolve(), Math.min(mostMs, this.#lookMs));
    try {
      await Promise.race([this.#changed.promise, aborted.promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  close(): void {
    this.#watcher?.close();
  }
}
