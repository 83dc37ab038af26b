// Sends to one WebSocket and tells when its client has taken enough for more. The queue of the socket is all there is:
// whoever sends waits here first, so a slow client holds a bounded amount of memory.
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { HoldfastError } from "../../protocol/errors.ts";

export class PacedSocket {
  readonly #socket: WebSocket;
  readonly #limitBytes: number;
  readonly #controller = new AbortController();
  #wake: (() => void) | undefined;
  #awaitsDrain = false;
  #isGone = false;

  constructor(socket: WebSocket, limitBytes: number) {
    this.#socket = socket;
    this.#limitBytes = limitBytes;
    const gone = (): void => {
      this.#isGone = true;
      this.#controller.abort(new HoldfastError("DAEMON_GONE", "the client went away"));
      this.#wake?.();
    };
    socket.once("close", gone);
    // A broken connection is also closed; without a listener the error would end the daemon.
    socket.on("error", gone);
  }

  /** Fires when the connection is gone. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN && !this.#isGone;
  }

  send(message: string | Uint8Array): void {
    if (!this.isOpen) return;
    this.#socket.send(message, { binary: typeof message !== "string" }, this.#sent);
  }

  /** A whole frame, past `ws`, which writes head and body apart: for a line that costs as much as the line. */
  sendFrame(connection: Socket, frame: Uint8Array): void {
    if (!this.isOpen || connection.write(frame) || this.#awaitsDrain) return;
    this.#awaitsDrain = true;
    connection.once("drain", () => {
      this.#awaitsDrain = false;
      this.#sent();
    });
  }

  sendJson(message: object): void {
    this.send(JSON.stringify(message));
  }

  get hasRoom(): boolean {
    return this.#socket.bufferedAmount <= this.#limitBytes;
  }

  /** Resolves when there is room, or the connection is gone; false when the client took nothing for `stallMs`. */
  async room(stallMs?: number): Promise<boolean> {
    while (this.isOpen && this.#socket.bufferedAmount > this.#limitBytes) {
      const before = this.#socket.bufferedAmount;
      await this.#progress(stallMs);
      if (this.isOpen && this.#socket.bufferedAmount >= before) return false;
    }
    return true;
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
    // A client that reads nothing does not answer the close either; it is not waited for.
    const timer = setTimeout(() => this.#socket.terminate(), 1_000);
    this.#socket.once("close", () => clearTimeout(timer));
  }

  readonly #sent = (): void => {
    if (this.#socket.bufferedAmount <= this.#limitBytes) this.#wake?.();
  };

  async #progress(stallMs: number | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = stallMs === undefined ? undefined : setTimeout(resolve, stallMs);
    this.#wake = resolve;
    await promise;
    this.#wake = undefined;
    clearTimeout(timer);
  }
}
