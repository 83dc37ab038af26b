// The live output of one process and the bytes typed into it, over connections that come and go. Output goes on at the
// offset, input at the writer's sequence: nothing is lost, nothing comes twice.
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import { decodeOutputData, encodeInput } from "../protocol/live-frames.ts";
import type { LiveOutput } from "../protocol/live-output.ts";
import { isLoss } from "./outage.ts";
import { PendingWrites } from "./pending-writes.ts";
import { errorFromBody, parseObject } from "./remote-error.ts";
import { resumedMessages, type StreamDoor } from "./resumed-messages.ts";
import type { TransportSocket } from "./transport.ts";

export interface LiveStreamOptions {
  /** A whole id: a name could be another process's after a reconnect. */
  readonly id: string;
  /** Undefined: from the beginning of what is kept, with what was dropped before it told as missing. */
  readonly from: number | undefined;
  /** How much may come ahead of the reader. */
  readonly windowBytes: number;
  readonly signal?: AbortSignal | undefined;
}

export class LiveStream {
  readonly #options: LiveStreamOptions;
  readonly #writes = new PendingWrites((write) => this.#socket?.send(encodeInput(write)));
  readonly #controller = new AbortController();
  readonly #running: Promise<void>;
  #socket: TransportSocket | undefined;
  #size: { readonly columns: number; readonly rows: number } | undefined;
  #next: number;
  #mayMiss: boolean;
  #lastResized = "";
  #events: LiveOutput[] = [];
  #queuedBytes = 0;
  #returnedBytes = 0;
  #wake: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isOver = false;

  constructor(door: StreamDoor, options: LiveStreamOptions) {
    this.#options = options;
    this.#next = options.from ?? 0;
    this.#mayMiss = options.from === undefined;
    this.#running = this.#run(door);
  }

  /** The next event; undefined after the end. One caller at a time. @throws as the daemon answers */
  async take(): Promise<LiveOutput | undefined> {
    while (this.#events.length === 0) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#isOver) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
      this.#wake = undefined;
    }
    const event = this.#events.shift();
    if (event?.kind === "data") this.#giveCredit(event.bytes.length);
    return event;
  }

  /** Resolves when the process's standard input has taken the bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#isOver) throw new HoldfastError("PROCESS_ENDED", "the process has ended");
    await this.#writes.add(bytes);
  }

  /** Told again after a reconnect: a resize that got lost would leave the wrong size for ever. */
  resize(columns: number, rows: number): void {
    this.#size = { columns, rows };
    this.#sendSize();
  }

  /** The process goes on. */
  async close(): Promise<void> {
    this.#controller.abort(new HoldfastError("DAEMON_GONE", "the stream is closed", { retryable: false }));
    await this.#running;
  }

  async #run(door: StreamDoor): Promise<void> {
    const own = this.#controller.signal;
    const { signal } = this.#options;
    const messages = resumedMessages(door, {
      path: () => this.#path(),
      onOpen: (socket) => this.#opened(socket),
      signal: signal === undefined ? own : AbortSignal.any([own, signal]),
    });
    try {
      for await (const message of messages) {
        this.#take(message);
        if (this.#isOver) break;
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    this.#socket = undefined;
    this.#writes.fail(this.#failure?.error ?? new HoldfastError("PROCESS_ENDED", "the process has ended"));
    this.#wake?.();
  }

  #path(): string {
    const { id, windowBytes } = this.#options;
    this.#returnedBytes = 0;
    const query = new URLSearchParams({
      id,
      from: String(this.#next),
      credit: String(Math.max(0, windowBytes - this.#queuedBytes)),
      writer: this.#writes.writer,
    });
    return `/v1/process.output/live?${query.toString()}`;
  }

  #opened(socket: TransportSocket): void {
    this.#socket = socket;
    this.#sendSize();
    this.#writes.sendAgain();
  }

  #take(message: string | Uint8Array): void {
    if (typeof message !== "string") {
      const data = decodeOutputData(message);
      if (data !== undefined) this.#push(data);
      return;
    }
    const object = parseObject(message) ?? {};
    const { kind, error, wrote, sequence } = object;
    if (kind === "error") this.#refused(errorFromBody(error ?? {}));
    else if (typeof wrote === "number") this.#writes.acknowledge(wrote);
    else if (error !== undefined) this.#writes.refuse(sequence, errorFromBody(error ?? {}));
    else if (kind === "missing" || kind === "resized" || kind === "end") {
      this.#push(object as unknown as LiveOutput); // the daemon sends events of these kinds as they are
    }
  }

  #push(event: LiveOutput): void {
    if (event.kind === "resized") {
      // A connection that begins at the offset of a mark tells the mark once more.
      const { offset, columns, rows } = event;
      const mark = `${offset} ${columns} ${rows}`;
      if (mark === this.#lastResized) return;
      this.#lastResized = mark;
    }
    this.#mayMiss = true;
    if (event.kind === "data") {
      this.#next = event.offset + event.bytes.length;
      this.#queuedBytes += event.bytes.length;
    }
    if (event.kind === "missing") this.#next = event.to;
    if (event.kind === "end") this.#isOver = true;
    this.#events.push(event);
    this.#wake?.();
  }

  /** The daemon closes the connection behind this. */
  #refused(error: HoldfastError): void {
    if (isLoss(error)) return;
    const to = error.details["firstOffset"];
    // A reader that was overtaken while it had no connection is told what it missed, as a connected one is.
    if (
      isHoldfastError(error, "OUTPUT_TRIMMED") &&
      this.#mayMiss &&
      typeof to === "number" &&
      to > this.#next
    ) {
      this.#push({ kind: "missing", from: this.#next, to, why: "dropped" });
      return;
    }
    throw error;
  }

  #giveCredit(bytes: number): void {
    this.#queuedBytes -= bytes;
    this.#returnedBytes += bytes;
    // Not for every line: a quarter of the window keeps the daemon sending without a message for each of its own.
    if (this.#returnedBytes < this.#options.windowBytes / 4) return;
    this.#socket?.send(JSON.stringify({ credit: this.#returnedBytes }));
    this.#returnedBytes = 0;
  }

  #sendSize(): void {
    if (this.#size !== undefined) this.#socket?.send(JSON.stringify({ resize: this.#size }));
  }
}
