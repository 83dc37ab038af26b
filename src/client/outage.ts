// One time without a daemon: waits between tries, starts a daemon where that is wanted, and gives up in the end.
import { isHoldfastError, type HoldfastError } from "../protocol/errors.ts";

export interface OutageOptions {
  /** How long the daemon may be away. */
  readonly reconnectMs: number;
  readonly startDaemon?: (() => Promise<void>) | undefined;
  /** Told when a call or stream finds the daemon away, and when it is there again. */
  readonly onAway?: ((isAway: boolean) => void) | undefined;
}

// A restart takes a fraction of a second: short waits at first.
const firstDelayMs = 10;
const mostDelayMs = 250;

export type Loss = HoldfastError & {
  readonly code: "DAEMON_UNREACHABLE" | "DAEMON_GONE" | "DAEMON_STOPPING";
};

/** A loss of the connection or of the daemon: nothing is wrong with what was asked. */
export function isLoss(error: unknown): error is Loss {
  return isHoldfastError(error, "DAEMON_UNREACHABLE", "DAEMON_GONE", "DAEMON_STOPPING") && error.retryable;
}

export class Outage {
  readonly #options: OutageOptions;
  #deadlineMs: number | undefined;
  #delayMs = firstDelayMs;
  #hasStarted = false;
  #isAway = false;

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** A connection is there; whether it is a good one shows later. */
  opened(): void {
    if (this.#isAway) this.#options.onAway?.(false);
    this.#isAway = false;
  }

  /** The daemon is there: the next failure begins a new outage. */
  over(): void {
    this.opened();
    this.#deadlineMs = undefined;
    this.#delayMs = firstDelayMs;
    this.#hasStarted = false;
  }

  /** Returns when it is worth another try. Throws the failure when time is up, or the signal's reason. */
  async afterFailure(failure: HoldfastError, mayStart: boolean, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { startDaemon, reconnectMs } = this.#options;
    if (mayStart && startDaemon !== undefined && !this.#hasStarted && failure.code === "DAEMON_UNREACHABLE") {
      this.#hasStarted = true;
      await startDaemon();
      return;
    }
    const now = performance.now();
    if (!this.#isAway) this.#options.onAway?.(true);
    this.#isAway = true;
    this.#deadlineMs ??= now + reconnectMs;
    // A daemon that lets waits finish tells how long that may take; its successor comes after it.
    const { retryAfterMs } = failure.details;
    if (typeof retryAfterMs === "number" && retryAfterMs > 0 && reconnectMs > 0)
      this.#deadlineMs = Math.max(this.#deadlineMs, now + retryAfterMs + reconnectMs);
    if (now >= this.#deadlineMs) throw failure;
    const waitMs = Math.min(this.#delayMs, this.#deadlineMs - now);
    this.#delayMs = Math.min(this.#delayMs * 2, mostDelayMs);
    await delay(waitMs, signal);
  }
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error); // an AbortSignal's reason is an Error unless a caller made it otherwise
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
