// One client connection to a keeper (CONTRACT.md §4.2), over a socket or the stdio of `keeper attach`. It ends
// with the stream it runs on; a handle that outlives keepers is in kept-process.ts.
import type { Duplex } from "node:stream";
import type { ExitRecord, StopReason } from "../protocol/exit.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { FrameChannel } from "./frame-channel.ts";
import { answerFrames, requestFrames, type Frame } from "./frames.ts";
import { parseKeeperState, type KeeperState } from "./keeper-state.ts";
import {
  frameLimits,
  frameType,
  signalTargets,
  stopFlag,
  stopOutcomes,
  stopReasons,
  writeFlag,
  type SignalTarget,
  type StopOutcome,
} from "./numbers.ts";
import type { OutputEvent } from "./output-event.ts";
import { streamOutput, type OutputConsumer, type OutputOptions } from "./output-stream.ts";
import { pulled } from "./pulled.ts";

// A keeper answers within a millisecond; a machine under load, or ssh to another continent, takes a second or two.
const defaultGreetingTimeoutMs = 5_000;

export interface ConnectionOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface WriteOptions {
  /** Refused with ECHO_ON while the terminal would show it. */
  readonly secret?: boolean;
  /** Send a secret although it will be shown. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  /** Told the writer's next sequence at every answer, so that a write that fails half-way is known by the byte. */
  readonly onAccepted?: (nextSequence: number) => void;
}

export interface StopOptions {
  /** Between asking and killing; default 2,000. 0 kills at once. */
  readonly graceMs?: number;
  /** Only ask: what is left after the grace is reported, not killed. */
  readonly noKill?: boolean;
  /** This start was given up. */
  readonly abandoned?: boolean;
  readonly reason?: StopReason;
  /** Who asks, for the exit record. */
  readonly by?: string;
  readonly signal?: AbortSignal;
}

export interface StopResult {
  readonly outcome: StopOutcome;
  readonly killed: number;
  readonly left: number;
  readonly killedPids: readonly number[];
}

export interface OutsideProgram {
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export const defaultGraceMs = 2_000;

export class KeeperConnection {
  readonly #channel: FrameChannel;
  readonly #stateListeners = new Set<(state: KeeperState) => void>();
  readonly #firstState = Promise.withResolvers<void>();
  #state: KeeperState | undefined;
  #id = "";
  #keeperPid = 0;
  #hasOutput = false;
  #roomCount = 0;
  readonly #roomListeners = new Set<() => void>();
  readonly #closeListeners = new Set<(error: HoldfastError) => void>();

  private constructor(stream: Duplex) {
    this.#channel = new FrameChannel(stream, {
      peer: "keeper",
      onPush: (frame) => this.#receive(frame),
      onClosed: (error) => {
        for (const listener of this.#closeListeners) listener(error);
      },
    });
  }

  /** Resolves after the keeper's HELLO and first STATE. Owns the stream from here on. */
  static async open(stream: Duplex, options: ConnectionOptions = {}): Promise<KeeperConnection> {
    const connection = new KeeperConnection(stream);
    const timeoutMs = options.timeoutMs ?? defaultGreetingTimeoutMs;
    const hello = await connection.#channel.greeted(timeoutMs, options.signal);
    const { id, keeperPid } = answerFrames.keeperHello.decode(hello);
    connection.#id = id.toString();
    connection.#keeperPid = keeperPid;
    await connection.#settled((resolve) => {
      void connection.#firstState.promise.then(resolve);
      return () => undefined;
    });
    return connection;
  }

  /** The run. */
  get id(): string {
    return this.#id;
  }

  /** 0: ended, and nobody keeps it any more. */
  get keeperPid(): number {
    return this.#keeperPid;
  }

  get isOpen(): boolean {
    return this.#channel.isOpen;
  }

  /** Resolves with the reason when the connection is gone. */
  get closed(): Promise<HoldfastError> {
    return this.#channel.closed;
  }

  /** As last told: pushed at every change of `state`, its numbers are as old as that. */
  get state(): KeeperState {
    if (this.#state === undefined)
      throw new HoldfastError("INTERNAL", "A connection is used before it is open.");
    return this.#state;
  }

  /** Calls the listener at every STATE. Returns the way to stop that. */
  onState(listener: (state: KeeperState) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  /** The state now. */
  async askState(signal?: AbortSignal): Promise<KeeperState> {
    const frame = await this.#channel.request(requestFrames.askState.encode({}), signal);
    return this.#takeState(frame);
  }

  /** As `follow`, for a loop; leaving it stops the keeper from sending. */
  output(options: OutputOptions = {}): AsyncGenerator<OutputEvent, void, undefined> {
    return pulled((consume, signal) => this.follow({ ...options, signal }, consume), options.signal);
  }

  /**
   * Resolves when the `end` was consumed.
   * @throws HoldfastError OUTPUT_TRIMMED, KEEPER_GONE; INVALID_ARGUMENT while another output is read on this connection
   */
  async follow(options: OutputOptions, consume: OutputConsumer): Promise<void> {
    const take = (): void => {
      // The keeper would end the other one without a word: a second OUTPUT replaces the first.
      if (this.#hasOutput)
        throw new HoldfastError("INVALID_ARGUMENT", "One connection reads one output at a time.");
      this.#hasOutput = true;
    };
    const give = (): void => {
      this.#hasOutput = false;
    };
    await streamOutput(this.#channel, options, { take, give }, consume);
  }

  /**
   * Resolves with the writer's next sequence when every byte is accepted. The signal ends the wait for room, not a
   * frame that is under way.
   * @throws HoldfastError LINE_TOO_LONG, ECHO_ON, STDIN_CLOSED, SEQUENCE_GAP, PROCESS_ENDED, KEEPER_GONE
   */
  async write(writer: bigint, sequence: number, data: Buffer, options: WriteOptions = {}): Promise<number> {
    const flags = (options.secret ? writeFlag.secret : 0) | (options.force ? writeFlag.force : 0);
    const end = sequence + data.length;
    let next = sequence;
    do {
      options.signal?.throwIfAborted();
      const from = next - sequence;
      const part = data.subarray(from, from + frameLimits.mostWriteBytes);
      // Counted before the request: the room may be announced right behind the answer.
      const roomCount = this.#roomCount;
      const frame = await this.#channel.request(
        requestFrames.write.encode({ writer, sequence: next, flags, data: part }),
      );
      next = Number(answerFrames.ok.decode(frame.payload).value);
      options.onAccepted?.(next);
      const isPartial = next < sequence + from + part.length;
      if (isPartial && roomCount === this.#roomCount) await this.#waitForRoom(options.signal);
    } while (next < end);
    return next;
  }

  /** Takes effect after what is queued; for a terminal it types the end-of-file character. */
  async closeStdin(): Promise<void> {
    await this.#channel.request(requestFrames.closeStdin.encode({}));
  }

  /** @throws HoldfastError NOT_A_TERMINAL */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#channel.request(requestFrames.resize.encode({ columns, rows }));
  }

  /** Resolves with how many processes were reached. */
  async signal(number: number, target: SignalTarget = "child"): Promise<number> {
    return await this.#number(requestFrames.signal.encode({ number, target: signalTargets[target] }));
  }

  async stop(options: StopOptions = {}): Promise<StopResult> {
    const frame = await this.#channel.request(encodeStop(options), options.signal);
    const { outcome, killed, left, pids } = answerFrames.stopped.decode(frame.payload);
    return { outcome: stopOutcomes[outcome] ?? "still_there", killed, left, killedPids: pids };
  }

  /** Closes the terminal everywhere. @throws HoldfastError NOT_A_TERMINAL */
  async hangup(): Promise<void> {
    await this.#channel.request(requestFrames.hangup.encode({}));
  }

  /** The keeper goes on as another binary; this connection then closes. */
  async reexec(path: string): Promise<void> {
    await this.#channel.request(requestFrames.reexec.encode({ path: Buffer.from(path) }));
  }

  /** Takes this process and its descendants out of the run's tree. Resolves with the pid that was spared. */
  async spare(): Promise<number> {
    return await this.#number(requestFrames.spare.encode({}));
  }

  /** Starts a program outside the run's tree. Resolves with its pid. */
  async outside(program: OutsideProgram): Promise<number> {
    const env = Object.entries(program.env).map(([name, value]) => Buffer.from(`${name}=${value}`));
    const argv = program.argv.map((argument) => Buffer.from(argument));
    return await this.#number(requestFrames.outside.encode({ cwd: Buffer.from(program.cwd), argv, env }));
  }

  async ping(signal?: AbortSignal): Promise<void> {
    await this.#channel.request(requestFrames.ping.encode({}), signal);
  }

  /** @throws HoldfastError KEEPER_GONE when the connection is lost first */
  async waitEnd(signal?: AbortSignal): Promise<ExitRecord> {
    if (this.state.exit !== undefined) return this.state.exit;
    return await this.#settled<ExitRecord>((resolve) => {
      return this.onState(({ exit }) => {
        if (exit !== undefined) resolve(exit);
      });
    }, signal);
  }

  close(): void {
    this.#channel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  async #number(encoded: Buffer): Promise<number> {
    const frame = await this.#channel.request(encoded);
    return Number(answerFrames.ok.decode(frame.payload).value);
  }

  #receive(frame: Frame): void {
    if (frame.type === frameType.state) {
      this.#takeState(frame);
    } else if (frame.type === frameType.stdinRoom) {
      this.#roomCount += 1;
      for (const listener of this.#roomListeners) listener();
    }
  }

  #takeState(frame: Frame): KeeperState {
    const state = parseKeeperState(answerFrames.state.decode(frame.payload).text.toString());
    this.#state = state;
    this.#firstState.resolve();
    for (const listener of this.#stateListeners) listener(state);
    return state;
  }

  #waitForRoom(signal: AbortSignal | undefined): Promise<void> {
    return this.#settled((resolve) => {
      this.#roomListeners.add(resolve);
      return () => this.#roomListeners.delete(resolve);
    }, signal);
  }

  /** Waits for what `listen` resolves with, the end of the connection, or the signal. `listen` returns its own undoing. */
  async #settled<Value>(
    listen: (resolve: (value: Value) => void) => () => void,
    signal?: AbortSignal,
  ): Promise<Value> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const abort = (): void => reject(signal?.reason);
    const stopListening = listen(resolve);
    signal?.addEventListener("abort", abort, { once: true });
    this.#closeListeners.add(reject);
    if (!this.isOpen) void this.closed.then(reject);
    try {
      return await promise;
    } finally {
      stopListening();
      signal?.removeEventListener("abort", abort);
      this.#closeListeners.delete(reject);
    }
  }
}

/** A STOP frame, also for whoever sends it without waiting for the answer. */
export function encodeStop(options: StopOptions): Buffer {
  return requestFrames.stop.encode({
    graceMs: options.graceMs ?? defaultGraceMs,
    flags:
      (options.noKill === true ? stopFlag.noKill : 0) | (options.abandoned === true ? stopFlag.abandoned : 0),
    reason: stopReasons[options.reason ?? "user"],
    by: Buffer.from(options.by ?? ""),
  });
}
