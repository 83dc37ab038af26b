// A WebSocket client on a connected socket. Not the `ws` package: it imports node:http, which costs a command line 40 ms.
import type { Socket } from "node:net";
import { HoldfastError } from "../../protocol/errors.ts";
import { closeCode } from "../../protocol/live-frames.ts";
import { MessageQueue } from "../message-queue.ts";
import { errorFromAnswer } from "../remote-error.ts";
import type { SocketRequest, TransportSocket } from "../transport.ts";
import { exchange, requestText } from "./http-exchange.ts";
import {
  encodeClose,
  encodeFrame,
  opcode,
  WebSocketReader,
  type ReceivedMessage,
} from "./websocket-frames.ts";

// Of RFC 6455: what both sides append to the key.
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const closeTimeoutMs = 1_000;

/** @throws the error the daemon answered with, as `exchange`, or INTERNAL when it is no WebSocket server */
export async function openWebSocket(socket: Socket, request: SocketRequest): Promise<NodeWebSocket> {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const headers = {
    ...request.headers,
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": key,
  };
  const text = requestText({ method: "GET", path: request.path, headers });
  const { response, rest } = await exchange(socket, text, request.signal);
  if (response.status !== 101) {
    socket.destroy();
    throw errorFromAnswer(response.status, Buffer.from(response.body).toString());
  }
  const digest = await crypto.subtle.digest("SHA-1", Buffer.from(key + acceptSuffix));
  if (response.headers["sec-websocket-accept"] !== Buffer.from(digest).toString("base64")) {
    socket.destroy();
    throw new HoldfastError("INTERNAL", "the daemon accepted the WebSocket with a wrong key");
  }
  return new NodeWebSocket(socket, rest);
}

export class NodeWebSocket implements TransportSocket {
  readonly #socket: Socket;
  readonly #reader = new WebSocketReader();
  readonly #queue: MessageQueue;
  #isClosing = false;
  #closedWith: number | undefined;

  /** The socket is paused; `first` is what came behind the answer. */
  constructor(socket: Socket, first: Uint8Array) {
    this.#socket = socket;
    // A reader that falls behind stops the connection, and by that the daemon learns of it.
    this.#queue = new MessageQueue({ onFull: () => socket.pause(), onRoom: () => socket.resume() });
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("close", () => this.#queue.close());
    this.#receive(first);
    if (socket.destroyed) this.#queue.close();
    else socket.resume();
  }

  get closedWith(): number | undefined {
    return this.#closedWith;
  }

  send(message: string | Uint8Array): void {
    if (this.#isClosing || this.#socket.destroyed) return;
    const isText = typeof message === "string";
    const payload = isText ? Buffer.from(message) : message;
    this.#socket.write(encodeFrame(isText ? opcode.text : opcode.binary, payload));
  }

  receive(): Promise<string | Uint8Array | undefined> {
    return this.#queue.take();
  }

  close(): void {
    this.#sayClose(closeCode.normal);
    this.#queue.close();
    // What still comes is of no interest, and a paused socket would never see the other side's close.
    this.#socket.resume();
    this.#socket.setTimeout(closeTimeoutMs, () => this.#socket.destroy());
    this.#socket.unref();
  }

  #sayClose(code: number): void {
    if (this.#isClosing || this.#socket.destroyed) return;
    this.#isClosing = true;
    this.#socket.end(encodeClose(code));
  }

  #receive(chunk: Uint8Array): void {
    this.#reader.push(chunk);
    try {
      for (let message = this.#reader.next(); message !== undefined; message = this.#reader.next()) {
        this.#take(message);
      }
    } catch {
      // Against the protocol: to whoever reads, a connection that was cut off.
      this.#socket.destroy();
    }
  }

  #take(message: ReceivedMessage): void {
    switch (message.kind) {
      case "text":
        this.#queue.push(message.text);
        break;
      case "binary":
        this.#queue.push(message.bytes);
        break;
      case "ping":
        if (!this.#isClosing) this.#socket.write(encodeFrame(opcode.pong, message.bytes));
        break;
      case "pong":
        break;
      case "close":
        this.#closedWith = message.code;
        this.#sayClose(closeCode.normal);
        this.#queue.close();
        break;
    }
  }
}
