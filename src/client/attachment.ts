// A process as a terminal sees it: its output, its input and its size, over one connection that comes back by itself.
import type { LiveOutput } from "../protocol/live-output.ts";
import { LiveStream, type LiveStreamOptions } from "./live-stream.ts";
import type { StreamDoor } from "./resumed-messages.ts";

export class Attachment {
  readonly id: string;
  readonly #stream: LiveStream;

  constructor(door: StreamDoor, options: LiveStreamOptions) {
    this.id = options.id;
    this.#stream = new LiveStream(door, options);
  }

  /** Until the process has ended and all was told. One reader at a time. */
  async *output(): AsyncGenerator<LiveOutput, void, undefined> {
    for (let event = await this.#stream.take(); event !== undefined; event = await this.#stream.take()) {
      yield event;
    }
  }

  /**
   * Resolves when the bytes were taken; they are taken once, whatever happens to the connection.
   * @throws HoldfastError STDIN_CLOSED, PROCESS_ENDED, SEQUENCE_GAP
   */
  async write(bytes: Uint8Array | string): Promise<void> {
    await this.#stream.write(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  }

  resize(columns: number, rows: number): void {
    this.#stream.resize(columns, rows);
  }

  /** Leaves; the process goes on. */
  async close(): Promise<void> {
    await this.#stream.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
