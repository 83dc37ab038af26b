// One terminal as a viewer sees it, over connections that come and go. Every connection begins with a whole screen, so
// nothing has to be remembered between them but what was typed and not yet taken.
import { HoldfastError } from "../protocol/errors.ts";
import { decodeOutputData, encodeInput } from "../protocol/live-frames.ts";
import {
  decodeViewState,
  untoldBytes,
  type ViewMessage,
  type ViewRequest,
  type ViewScreen,
  type ViewersMessage,
} from "../protocol/view-frames.ts";
import { isLoss } from "./outage.ts";
import { PendingWrites } from "./pending-writes.ts";
import { errorFromBody, parseObject } from "./remote-error.ts";
import { resumedMessages, type StreamDoor } from "./resumed-messages.ts";
import type { TransportSocket } from "./transport.ts";

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Called in order. What is drawn must be given back with `parsed`, or nothing more comes. */
export interface TerminalViewHandlers {
  /** Replaces everything: reset, take this size, write the state. */
  readonly onScreen: (screen: ViewScreen, state: Uint8Array) => void;
  /** @param offset where in the output of the process they stand */
  readonly onOutput: (bytes: Uint8Array, offset: number) => void;
  readonly onResized: (size: TerminalSize) => void;
  readonly onTitle: (title: string) => void;
  readonly onViewers: (viewers: ViewersMessage) => void;
  /** The process has ended and its last byte was told. */
  readonly onEnd: () => void;
  /** The view is over: closed by somebody (no error), or refused. */
  readonly onClosed: (error: unknown) => void;
}

/** The size is that of the viewer's window; 0 while it is not shown, and leaves the terminal's as it is. */
export interface TerminalViewOptions extends TerminalSize {
  /** A whole id: a name could be another process's after a reconnect. */
  readonly id: string;
  /** As others see this viewer. */
  readonly name: string;
  /** Take the keyboard when nobody has it. */
  readonly keyboard?: boolean | undefined;
  /** How much may be on the way or unparsed. */
  readonly windowBytes?: number | undefined;
  readonly handlers: TerminalViewHandlers;
}

// A few screens of a flood: more only makes Ctrl-C wait.
const defaultWindowBytes = 128 * 1024;

export class TerminalView {
  readonly #options: TerminalViewOptions;
  readonly #windowBytes: number;
  readonly #writes = new PendingWrites((write) => this.#socket?.send(encodeInput(write)));
  readonly #controller = new AbortController();
  readonly #running: Promise<void>;
  #size: TerminalSize;
  #wantsKeyboard: boolean;
  /** Asked for, and not told that it has it: a request may be lost with its connection. */
  #isTaking = false;
  #socket: TransportSocket | undefined;
  #screen: ViewScreen | undefined;
  /** Drawn, and not told yet. */
  #parsedBytes = 0;
  /** Received, and not drawn yet. */
  #unparsedBytes = 0;

  constructor(door: StreamDoor, options: TerminalViewOptions) {
    this.#options = options;
    this.#windowBytes = options.windowBytes ?? defaultWindowBytes;
    this.#size = { columns: options.columns, rows: options.rows };
    this.#wantsKeyboard = options.keyboard ?? false;
    this.#running = this.#run(door);
  }

  /** So many bytes of screens and output were drawn. */
  parsed(bytes: number): void {
    this.#parsedBytes += bytes;
    this.#unparsedBytes -= bytes;
    // Whoever has fallen behind gets the next picture when the daemon knows that everything is drawn.
    const quarter = this.#windowBytes / 4;
    if (this.#parsedBytes < (this.#unparsedBytes > 0 ? quarter : Math.min(quarter, untoldBytes))) return;
    this.#request({ credit: this.#parsedBytes });
    this.#parsedBytes = 0;
  }

  /** Resolves when the program's input has taken the bytes. @throws HoldfastError, also when the keyboard is somebody else's */
  async write(bytes: Uint8Array | string): Promise<void> {
    await this.#writes.add(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  }

  /** Of the viewer's window: the terminal's too, while this viewer has the keyboard. */
  resize(size: TerminalSize): void {
    this.#size = size;
    this.#request({ size });
  }

  takeKeyboard(): void {
    this.#wantsKeyboard = true;
    this.#isTaking = true;
    this.#request({ keyboard: "take" });
  }

  releaseKeyboard(): void {
    this.#wantsKeyboard = false;
    this.#isTaking = false;
    this.#request({ keyboard: "release" });
  }

  /** The process goes on. */
  async close(): Promise<void> {
    this.#controller.abort(new HoldfastError("DAEMON_GONE", "the view is closed", { retryable: false }));
    await this.#running;
  }

  async #run(door: StreamDoor): Promise<void> {
    const { signal } = this.#controller;
    let failure: unknown;
    try {
      const messages = resumedMessages(door, {
        path: () => this.#path(),
        onOpen: (socket) => this.#opened(socket),
        signal,
      });
      for await (const message of messages) if (this.#take(message)) break;
    } catch (error) {
      failure = error;
    }
    this.#socket = undefined;
    this.#writes.fail(failure ?? new HoldfastError("PROCESS_ENDED", "the view is closed"));
    if (!signal.aborted) this.#options.handlers.onClosed(failure);
  }

  #path(): string {
    const { id, name } = this.#options;
    this.#parsedBytes = 0;
    const query = new URLSearchParams({
      id,
      name,
      credit: String(this.#windowBytes),
      columns: String(this.#size.columns),
      rows: String(this.#size.rows),
      writer: this.#writes.writer,
      ...(this.#wantsKeyboard ? { keyboard: "1" } : {}),
    });
    return `/v1/terminal/view?${query.toString()}`;
  }

  #opened(socket: TransportSocket): void {
    this.#socket = socket;
    this.#screen = undefined;
    // What was asked for while it was being opened is not in its address.
    this.#request({ size: this.#size, ...(this.#isTaking ? { keyboard: "take" } : {}) });
    this.#writes.sendAgain();
  }

  /** True: the last one. */
  #take(message: string | Uint8Array): boolean {
    if (typeof message !== "string") this.#draw(message);
    else return this.#hear(parseObject(message) as ViewMessage | undefined); // the daemon makes them by the same file
    return false;
  }

  #draw(frame: Uint8Array): void {
    const { handlers } = this.#options;
    const state = decodeViewState(frame);
    if (state !== undefined && this.#screen !== undefined) {
      this.#unparsedBytes += state.bytes.length;
      handlers.onScreen(this.#screen, state.bytes);
    }
    const output = decodeOutputData(frame);
    if (output === undefined) return;
    this.#unparsedBytes += output.bytes.length;
    handlers.onOutput(output.bytes, output.offset);
  }

  #hear(message: ViewMessage | undefined): boolean {
    const { handlers } = this.#options;
    if (message === undefined) return false;
    if ("wrote" in message) this.#writes.acknowledge(message.wrote);
    else if (!("kind" in message)) this.#writes.refuse(message.sequence, errorFromBody(message.error));
    else if (message.kind === "screen") this.#screen = message;
    else if (message.kind === "resized") handlers.onResized(message);
    else if (message.kind === "title") handlers.onTitle(message.title);
    else if (message.kind === "viewers") this.#hearViewers(message);
    else if (message.kind === "end") handlers.onEnd();
    else if (message.kind === "error") this.#refused(errorFromBody(message.error));
    else return message.kind === "closed";
    return false;
  }

  #hearViewers(message: ViewersMessage): void {
    // Somebody else took it: a reconnect must not take it back.
    if (message.keyboard === message.you) this.#isTaking = false;
    else if (message.keyboard !== null && !this.#isTaking) this.#wantsKeyboard = false;
    this.#options.handlers.onViewers(message);
  }

  /** The daemon closes the connection behind this. */
  #refused(error: HoldfastError): void {
    if (!isLoss(error)) throw error;
  }

  #request(request: ViewRequest): void {
    this.#socket?.send(JSON.stringify(request));
  }
}
