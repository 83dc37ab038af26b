// The way out of a daemon: it lets waits finish, closes everything, says why, and ends with the code of its cause.
import { setTimeout as delay } from "node:timers/promises";
import type { Daemon } from "./boot.ts";
import { farewellFor, type Cause, type Farewell } from "./farewell.ts";

export interface DepartureOptions {
  /** Resolves when it has started. */
  readonly booted: Promise<Daemon>;
  readonly tell: (reason: string) => void;
  /** Ends the program. */
  readonly end: (farewell: Farewell) => void;
}

// More than the API and the store take together. Nothing is lost by going before everything is closed.
const closeLimitMs = 10_000;

export class Departure {
  readonly #options: DepartureOptions;
  #farewell: Farewell | undefined;
  #daemon: Daemon | undefined;

  constructor(options: DepartureOptions) {
    this.#options = options;
  }

  /** A second time hurries; its cause counts if it was announced, since that says more than a signal. */
  begin(cause: Cause): void {
    const farewell = farewellFor(cause);
    this.#options.tell(farewell.reason);
    const isFirst = this.#farewell === undefined;
    if (isFirst || farewell.isAnnounced) this.#farewell = farewell;
    if (isFirst) void this.#go(farewell);
    else if (this.#daemon !== undefined) this.#daemon.drain.hurry();
    else this.#options.end(farewell); // it is still starting, perhaps waiting for another to go
  }

  async #go(first: Farewell): Promise<void> {
    const daemon = await this.#options.booted;
    this.#daemon = daemon;
    await daemon.drain.begin(first.drainMs);
    const { reason: exitReason, restart: restartRequested } = this.#farewell ?? first;
    const leave = { state: "stopped", exitReason, restartRequested } as const;
    await Promise.race([daemon.close(leave), delay(closeLimitMs)]);
    daemon.status.leave(leave); // of one that was closed in time, long said
    this.#options.end(this.#farewell ?? first);
  }
}
