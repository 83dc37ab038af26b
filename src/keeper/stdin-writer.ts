// Writes to the stdin of a run through whatever connection there is: a byte that was not acknowledged is sent again
// after a reconnect, and the writer's sequence keeps it from being typed twice.
import { randomBytes } from "node:crypto";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import type { KeeperConnection, WriteOptions } from "./connection.ts";
import { frameLimits } from "./numbers.ts";

/** An open connection, a new one if the last was lost. Rejects when there is no hope. */
export type ConnectionSource = () => Promise<Pick<KeeperConnection, "write">>;

export type StdinWriteOptions = Omit<WriteOptions, "onAccepted">;

export class StdinWriter {
  readonly #connect: ConnectionSource;
  #writer = newWriter();
  #sequence = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(connect: ConnectionSource) {
    this.#connect = connect;
  }

  /**
   * Resolves when the keeper has accepted every byte. Writes go one after the other, in the order of the calls.
   * @throws HoldfastError LINE_TOO_LONG, ECHO_ON, STDIN_CLOSED, PROCESS_ENDED; SEQUENCE_GAP when the keeper forgot this writer
   * while an answer was lost, so that nobody can tell what arrived
   */
  write(data: Buffer, options: StdinWriteOptions = {}): Promise<void> {
    const job = this.#queue.then(() => this.#writeAll(data, options));
    // The next write waits for this one, whatever became of it, also when its caller has stopped waiting.
    this.#queue = job.catch(() => undefined);
    return options.signal === undefined ? job : untilAborted(job, options.signal);
  }

  close(): void {
    this.#isClosed = true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  async #writeAll(data: Buffer, options: StdinWriteOptions): Promise<void> {
    let at = 0;
    do {
      const part = data.subarray(at, at + frameLimits.mostWriteBytes);
      await this.#writePart(part, options);
      at += part.length;
    } while (at < data.length);
  }

  async #writePart(part: Buffer, options: StdinWriteOptions): Promise<void> {
    const end = this.#sequence + part.length;
    const onAccepted = (next: number): void => {
      this.#sequence = next;
    };
    let isInDoubt = false;
    for (;;) {
      options.signal?.throwIfAborted();
      if (this.#isClosed) throw new HoldfastError("INVALID_ARGUMENT", "This writer is closed.");
      const unsent = part.subarray(part.length - (end - this.#sequence));
      try {
        const connection = await this.#connect();
        await connection.write(this.#writer, this.#sequence, unsent, { ...options, onAccepted });
        return;
      } catch (error) {
        if (isHoldfastError(error, "KEEPER_GONE")) {
          isInDoubt = true;
          continue;
        }
        if (isHoldfastError(error, "SEQUENCE_GAP") && !isInDoubt && this.#sequence > 0) {
          // Refused as a whole, so nothing of it arrived: the keeper remembers 64 writers, and this one was idle for long.
          await this.#writeAsNewWriter(unsent, options);
          return;
        }
        // What came of the last frame is unknown. The next bytes must not look like its repetition.
        if (isInDoubt) this.#renew();
        throw error;
      }
    }
  }

  async #writeAsNewWriter(unsent: Buffer, options: StdinWriteOptions): Promise<void> {
    this.#renew();
    await this.#writePart(unsent, options);
  }

  #renew(): void {
    this.#writer = newWriter();
    this.#sequence = 0;
  }
}

/** Any number but 0, which the contract keeps for itself. */
function newWriter(): bigint {
  return randomBytes(8).readBigUInt64LE() || 1n;
}

async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
