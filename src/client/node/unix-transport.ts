// Requests and sockets over the daemon's Unix socket, with connections kept for the next request.
import type { Socket } from "node:net";
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import type { SocketRequest, Transport, TransportAnswer, TransportRequest } from "../transport.ts";
import { exchange, requestText, type Exchanged } from "./http-exchange.ts";
import { openUnixSocket } from "./unix-socket.ts";
import { openWebSocket, type NodeWebSocket } from "./websocket.ts";

// Well under the daemon's 75 s: this side closes first, so no request meets a connection that is being closed.
const idleTimeoutMs = 30_000;

export class UnixTransport implements Transport {
  readonly #path: string;
  readonly #idle: Socket[] = [];
  readonly #open = new Set<Socket>();
  #isClosed = false;

  constructor(socketPath: string) {
    this.#path = socketPath;
  }

  /** Opens a connection for the first request. @throws HoldfastError DAEMON_UNREACHABLE, or the signal's reason */
  async reach(signal?: AbortSignal): Promise<void> {
    if (this.#idle.length === 0) this.#keep(await this.#connect(signal));
  }

  async request(request: TransportRequest): Promise<TransportAnswer> {
    const text = requestText(request);
    const { socket, response, rest } = await this.#exchange(text, request.signal);
    const { status, headers } = response;
    if (rest.length > 0 || headers["connection"]?.toLowerCase() === "close") socket.destroy();
    else this.#keep(socket);
    return { status, headers, body: Buffer.from(response.body).toString() };
  }

  async socket(request: SocketRequest): Promise<NodeWebSocket> {
    const socket = await this.#connect(request.signal);
    return await openWebSocket(socket, request);
  }

  /** Ends every connection, also of requests that wait for their answer. */
  close(): void {
    this.#isClosed = true;
    for (const socket of this.#open) socket.destroy();
  }

  async #exchange(
    text: string,
    signal: AbortSignal | undefined,
  ): Promise<Exchanged & { readonly socket: Socket }> {
    const idle = this.#takeIdle();
    if (idle !== undefined) {
      try {
        return { socket: idle, ...(await exchange(idle, text, signal)) };
      } catch (error) {
        // The kept connection was closed unseen and nothing was sent: that says nothing about the daemon.
        if (!isHoldfastError(error, "DAEMON_UNREACHABLE")) throw error;
      }
    }
    const socket = await this.#connect(signal);
    return { socket, ...(await exchange(socket, text, signal)) };
  }

  async #connect(signal: AbortSignal | undefined): Promise<Socket> {
    if (this.#isClosed)
      throw new HoldfastError("DAEMON_UNREACHABLE", "the client is closed", { retryable: false });
    const socket = await openUnixSocket(this.#path, signal);
    this.#open.add(socket);
    // Whoever uses the socket hears of its end by `close`; without a listener here an error would end the program.
    socket.on("error", () => undefined);
    socket.once("close", () => this.#open.delete(socket));
    return socket;
  }

  #takeIdle(): Socket | undefined {
    for (;;) {
      const socket = this.#idle.pop();
      if (socket === undefined) return undefined;
      socket.removeAllListeners("timeout");
      socket.off("end", destroyThis);
      socket.setTimeout(0);
      if (socket.destroyed || socket.readableEnded) continue;
      return socket.ref();
    }
  }

  /** An idle connection does not keep the program running. */
  #keep(socket: Socket): void {
    if (this.#isClosed || socket.destroyed || socket.readableEnded) {
      socket.destroy();
      return;
    }
    socket.unref();
    socket.setTimeout(idleTimeoutMs, destroyThis);
    socket.once("end", destroyThis);
    this.#idle.push(socket);
  }
}

function destroyThis(this: Socket): void {
  this.destroy();
}
