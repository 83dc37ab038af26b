// The handle of a run that outlives its keepers: it finds the successor of a dead one, goes on reading at the same
// offset and writing at the same sequence, and reads the directory when nobody is left.
import type { ExitRecord } from "../protocol/exit.ts";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import type { KeeperConnection, StopOptions, StopResult } from "./connection.ts";
import type { KeeperState } from "./keeper-state.ts";
import type { SignalTarget } from "./numbers.ts";
import type { OutputEvent } from "./output-event.ts";
import type { OutputConsumer, OutputOptions } from "./output-stream.ts";
import { pulled } from "./pulled.ts";
import { reachKeeper, waitForEnd, type Reached, type RunTarget } from "./reach-keeper.ts";
import { resumedOutput } from "./resumed-output.ts";
import { endedState } from "./ended-state.ts";
import { readSpec } from "./spec-file.ts";
import { StdinWriter, type StdinWriteOptions } from "./stdin-writer.ts";

// A keeper that dies of every request it gets must not be asked for ever.
const mostAttempts = 8;

export interface KeptProcessOptions {
  /** How long the run may be without anybody who answers for it; default 10,000. */
  readonly reconnectTimeoutMs?: number;
}

export class KeptProcess {
  readonly #target: RunTarget;
  readonly #closing = new AbortController();
  readonly #timeout: { readonly timeoutMs?: number };
  readonly #stdin = new StdinWriter(() => this.#live());
  #connection: KeeperConnection | undefined;
  #reaching: Promise<Reached> | undefined;

  /** Connects when first asked for something. */
  constructor(target: RunTarget, options: KeptProcessOptions = {}) {
    this.#target = target;
    this.#timeout = options.reconnectTimeoutMs === undefined ? {} : { timeoutMs: options.reconnectTimeoutMs };
  }

  async state(): Promise<KeeperState> {
    return await this.#ask(
      (connection) => connection.askState(),
      (ended) => endedState(ended.directory, ended.exit),
    );
  }

  /**
   * Every byte from an offset on, once, whatever happens to keepers meanwhile; ends with an `end` event.
   * @throws HoldfastError OUTPUT_TRIMMED (details.firstOffset) when the first byte is not kept, KEEPER_UNREACHABLE, RUN_NOT_FOUND
   */
  output(options: OutputOptions = {}): AsyncGenerator<OutputEvent, void, undefined> {
    return pulled((consume, signal) => this.follow({ ...options, signal }, consume), options.signal);
  }

  /** As `output`, for a consumer that is called; resolves when that has had the `end`. */
  async follow(options: OutputOptions, consume: OutputConsumer): Promise<void> {
    const signal = this.#signal(options.signal);
    await resumedOutput(this.#target, { ...options, ...this.#timeout, signal }, consume);
  }

  /**
   * Resolves when a keeper has accepted every byte; each reaches the child once.
   * @throws HoldfastError LINE_TOO_LONG, ECHO_ON, STDIN_CLOSED, PROCESS_ENDED
   */
  async write(data: Buffer | string, options: StdinWriteOptions = {}): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    await this.#stdin.write(bytes, options);
  }

  /**
   * As a writer of the caller's own, whose sequence makes a repetition harmless. Resolves with the writer's next sequence.
   * @throws HoldfastError as `write`, and SEQUENCE_GAP
   */
  async writeAs(
    writer: { readonly id: bigint; readonly sequence: number },
    data: Buffer,
    options: StdinWriteOptions = {},
  ): Promise<number> {
    return await this.#ask((connection) => connection.write(writer.id, writer.sequence, data, options));
  }

  /** After what is queued. For a terminal it types the end-of-file character. @throws HoldfastError KEEPER_GONE in doubt */
  async closeStdin(): Promise<void> {
    // Not asked twice of what may be a terminal: a second end-of-file character would end the program that reads next.
    const isPipe = "directory" in this.#target && (await readSpec(this.#target.directory)).mode !== "pty";
    await this.#ask((connection) => (isPipe ? connection.closeStdin() : once(connection.closeStdin())));
  }

  /** @throws HoldfastError NOT_A_TERMINAL, PROCESS_ENDED */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#ask((connection) => connection.resize(columns, rows));
  }

  /** Resolves with how many processes were reached. @throws HoldfastError PROCESS_ENDED, KEEPER_GONE in doubt */
  async signal(number: number, target: SignalTarget = "child"): Promise<number> {
    // Not asked again: a signal may mean something each time it comes.
    return await this.#ask((connection) => once(connection.signal(number, target)));
  }

  /** Ends the whole tree. */
  async stop(options: StopOptions = {}): Promise<StopResult> {
    return await this.#ask<StopResult>(
      (connection) => connection.stop(options),
      () => Promise.resolve({ outcome: "had_ended", killed: 0, left: 0, killedPids: [] }),
    );
  }

  /** Closes the terminal everywhere. @throws HoldfastError NOT_A_TERMINAL, PROCESS_ENDED */
  async hangup(): Promise<void> {
    await this.#ask((connection) => connection.hangup());
  }

  /** The keeper goes on as another binary, same pid. @throws HoldfastError PROCESS_ENDED, SYSTEM_ERROR */
  async reexec(path: string): Promise<void> {
    await this.#ask((connection) => once(connection.reexec(path)));
  }

  /** How it ended. Never invented: an end that nobody saw is `lost`. @throws HoldfastError KEEPER_UNREACHABLE, RUN_NOT_FOUND */
  async wait(signal?: AbortSignal): Promise<ExitRecord> {
    return await waitForEnd(this.#target, { ...this.#timeout, signal: this.#signal(signal) });
  }

  /** Leaves the run as it is. Outputs and waits end with an error. */
  close(): void {
    this.#closing.abort(new HoldfastError("KEEPER_GONE", "The handle of this run was closed."));
    this.#stdin.close();
    this.#connection?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  #signal(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([this.#closing.signal, signal]);
  }

  /** One connection for everything but output, which has its own: a keeper streams one output per client. */
  async #reach(): Promise<Reached> {
    if (this.#connection?.isOpen) return { kind: "live", connection: this.#connection };
    this.#reaching ??= reachKeeper(this.#target, { ...this.#timeout, signal: this.#closing.signal }).finally(
      () => {
        this.#reaching = undefined;
      },
    );
    const reached = await this.#reaching;
    if (reached.kind === "live") this.#connection = reached.connection;
    return reached;
  }

  async #live(): Promise<KeeperConnection> {
    const reached = await this.#reach();
    if (reached.kind === "live") return reached.connection;
    throw new HoldfastError("PROCESS_ENDED", "The process has ended.", { details: { exit: reached.exit } });
  }

  async #ask<Answer>(
    action: (connection: KeeperConnection) => Promise<Answer>,
    whenEnded?: (ended: Extract<Reached, { kind: "ended" }>) => Promise<Answer>,
  ): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const reached = await this.#reach();
      try {
        if (reached.kind === "live") return await action(reached.connection);
      } catch (error) {
        if (error instanceof NotRepeatable) throw error.cause;
        if (!isHoldfastError(error, "KEEPER_GONE") || attempt >= mostAttempts) throw error;
        continue;
      }
      if (whenEnded !== undefined) return await whenEnded(reached);
      throw new HoldfastError("PROCESS_ENDED", "The process has ended.", { details: { exit: reached.exit } });
    }
  }
}

/** Carries an error past the retry. */
class NotRepeatable extends Error {
  constructor(cause: unknown) {
    super("not to be asked again", { cause });
  }
}

async function once<Answer>(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw new NotRepeatable(error);
  }
}
