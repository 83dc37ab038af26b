// Requests and sockets with what a browser has: fetch and WebSocket.
import { accessPath, socketProtocol, ticketPrefix, type Ticket } from "../protocol/access.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { closeCode, headerName } from "../protocol/live-frames.ts";
import { Client, type ClientOptions } from "./client.ts";
import { MessageQueue } from "./message-queue.ts";
import { errorFromAnswer } from "./remote-error.ts";
import type {
  SocketRequest,
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportSocket,
} from "./transport.ts";

class BrowserTransport implements Transport {
  readonly #origin: string;
  readonly #sockets = new Set<BrowserSocket>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  async request({ method, path, headers, body, signal }: TransportRequest): Promise<TransportAnswer> {
    try {
      const answer = await fetch(this.#origin + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: await answer.text(),
      };
    } catch (error) {
      signal?.throwIfAborted();
      // fetch does not tell how far it came.
      throw new HoldfastError("DAEMON_GONE", `no answer from ${this.#origin}`, { cause: error });
    }
  }

  async socket({ path, headers, signal }: SocketRequest): Promise<TransportSocket> {
    signal?.throwIfAborted();
    const address = new URL(this.#origin + path);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    // A browser sends no headers of ours with a WebSocket.
    const session = headers[headerName.session];
    if (session !== undefined) address.searchParams.set("session", decodeURIComponent(session));
    const protocols = [socketProtocol, ticketPrefix + (await this.#ticket(signal))];
    const socket = new BrowserSocket(new WebSocket(address, protocols));
    this.#sockets.add(socket);
    void socket.gone.then(() => this.#sockets.delete(socket));
    const abort = (): void => socket.close();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await socket.opened;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    return socket;
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }

  /** A browser does not tell why a WebSocket was refused; whoever is signed out learns it here. */
  async #ticket(signal: AbortSignal | undefined): Promise<string> {
    const { status, body } = await this.request({
      method: "POST",
      path: accessPath.ticket,
      headers: {},
      body: "{}",
      signal,
    });
    if (status !== 200) throw errorFromAnswer(status, body);
    const { ticket } = JSON.parse(body) as Ticket; // made by the daemon's gate
    return ticket;
  }
}

class BrowserSocket implements TransportSocket {
  readonly opened: Promise<void>;
  readonly gone: Promise<void>;
  readonly #socket: WebSocket;
  // A browser cannot stop a connection: one whose reader is behind is closed, and comes back by its cursor.
  readonly #queue = new MessageQueue({ onFull: () => this.close(), onRoom: () => undefined });
  #closedWith: number | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    const opened = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    this.opened = opened.promise;
    this.gone = gone.promise;
    socket.addEventListener("open", () => opened.resolve());
    socket.addEventListener("message", ({ data }: { data: unknown }) => {
      if (typeof data === "string") this.#queue.push(data);
      else if (data instanceof ArrayBuffer) this.#queue.push(new Uint8Array(data));
    });
    socket.addEventListener("close", ({ code }) => {
      this.#closedWith = code;
      opened.reject(new HoldfastError("DAEMON_UNREACHABLE", "the daemon does not accept the stream"));
      gone.resolve();
      this.#queue.close();
    });
  }

  get closedWith(): number | undefined {
    return this.#closedWith;
  }

  send(message: string | Uint8Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(typeof message === "string" ? message : Uint8Array.from(message));
  }

  receive(): Promise<string | Uint8Array | undefined> {
    return this.#queue.take();
  }

  close(): void {
    this.#socket.close(closeCode.normal);
    this.#queue.close();
  }
}

/** For pages the daemon serves itself, or that may speak to it. */
export function connectBrowser(origin: string, options: Omit<ClientOptions, "transport"> = {}): Client {
  return new Client({ ...options, transport: new BrowserTransport(origin.replace(/\/$/, "")) });
}
