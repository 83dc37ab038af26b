// What a client of a stream sends: typed bytes, and instructions. Typed bytes are done one after the other, in the order they came.
import type { WebSocket } from "ws";
import type { ErrorBody } from "../../protocol/control.ts";
import { decodeInput, type InputFrame } from "../../protocol/live-frames.ts";
import type { PacedSocket } from "./paced-socket.ts";

export interface LiveInputOptions {
  readonly socket: WebSocket;
  readonly paced: PacedSocket;
  readonly tell: (error: unknown) => ErrorBody;
  /** Resolves with the writer's next sequence. */
  readonly write: (input: InputFrame) => Promise<number>;
  /** Told what was said in JSON; undefined when it is none. */
  readonly instruct: (message: unknown) => void;
}

// While so much waits for a program that does not read its stdin, the client is not read either.
const mostWaitingBytes = 1024 * 1024;

export class LiveInput {
  readonly #options: LiveInputOptions;
  #waitingBytes = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(options: LiveInputOptions) {
    this.#options = options;
  }

  receive(message: Buffer, isBinary: boolean): void {
    try {
      if (isBinary) this.#type(message);
      else this.#options.instruct(parseJson(message.toString()));
    } catch (error) {
      this.#tell(error);
    }
  }

  #type(frame: Buffer): void {
    const { paced, write } = this.#options;
    const input = decodeInput(frame);
    if (input === undefined) return; // of a newer client; it asked for nothing that is known here
    const { sequence, bytes } = input;
    this.inOrder(bytes.length, { sequence }, async () => paced.sendJson({ wrote: await write(input) }));
  }

  /** After everything that came before it. */
  inOrder(bytes: number, about: { readonly sequence?: number }, work: () => Promise<void>): void {
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > mostWaitingBytes) this.#options.socket.pause();
    this.#last = this.#workAfter(this.#last, bytes, async () => {
      try {
        await work();
      } catch (error) {
        if (this.#options.paced.isOpen) this.#tell(error, about);
      }
    });
  }

  async #workAfter(last: Promise<void>, bytes: number, work: () => Promise<void>): Promise<void> {
    const { socket } = this.#options;
    await last;
    await work();
    this.#waitingBytes -= bytes;
    if (socket.isPaused && this.#waitingBytes <= mostWaitingBytes) socket.resume();
  }

  #tell(error: unknown, about: { readonly sequence?: number } = {}): void {
    this.#options.paced.sendJson({ error: this.#options.tell(error), ...about });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told as a message of no known kind
  }
}
