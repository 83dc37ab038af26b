// The requests that are being worked on: ends them when their client goes away or the daemon stops.
import type { ServerResponse } from "node:http";
import { HoldfastError } from "../../protocol/errors.ts";

interface OpenRequest {
  /** Tells it that the daemon goes; one that changes nothing is over with it. */
  readonly abort: (reason: HoldfastError) => void;
}

export class OpenRequests {
  readonly #open = new Set<OpenRequest>();
  #isStopping = false;
  #idle: (() => void) | undefined;

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Runs one operation with a signal that fires when the client or the daemon goes: what waits need not wait longer. The process
   * it acts on is not harmed. `mayEnd`: it changes nothing, so a stop of the daemon may end it at once.
   * @throws HoldfastError DAEMON_STOPPING: nothing was done, whoever asked may ask the next daemon
   */
  async run<Output>(
    response: ServerResponse,
    mayEnd: boolean,
    work: (signal: AbortSignal) => Promise<Output>,
  ): Promise<Output> {
    if (this.#isStopping) throw stoppingError();
    const controller = new AbortController();
    const stopped = Promise.withResolvers<never>();
    // Only a stop rejects it, and then the race below has a listener; without one it would be an unhandled rejection.
    stopped.promise.catch(() => undefined);
    const gone = (): void => controller.abort(new HoldfastError("DAEMON_GONE", "the client went away"));
    const request: OpenRequest = {
      abort: (reason) => {
        if (mayEnd) stopped.reject(reason);
        controller.abort(reason);
      },
    };
    this.#open.add(request);
    response.once("close", gone);
    try {
      const working = work(controller.signal);
      return await (mayEnd ? Promise.race([working, stopped.promise]) : working);
    } finally {
      response.off("close", gone);
      this.#open.delete(request);
      if (this.#open.size === 0) this.#idle?.();
    }
  }

  /** Refuses new requests, ends those that may end, and lets the others finish for a while. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    for (const request of this.#open) request.abort(stoppingError());
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    const timer = setTimeout(resolve, graceMs);
    await promise;
    clearTimeout(timer);
  }
}

export function stoppingError(): HoldfastError {
  return new HoldfastError("DAEMON_STOPPING", "the daemon is about to end; nothing was done");
}
