// Frames of RFC 6455 as a client sees them: its own are masked, the server's are not.
import { HoldfastError } from "../../protocol/errors.ts";
import { ByteQueue } from "../byte-queue.ts";

export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export type ReceivedMessage =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "binary" | "ping" | "pong"; readonly bytes: Uint8Array }
  | { readonly kind: "close"; readonly code: number; readonly reason: string };

interface FrameHeader {
  readonly isFinal: boolean;
  readonly opcode: number;
  readonly bytes: number;
}

const mostMessageBytes = 16 * 1024 * 1024;
const mostControlBytes = 125;
// What an endpoint without a close code is said to have sent.
const noCloseCode = 1005;

/** One whole message in one frame. */
export function encodeFrame(kind: number, payload: Uint8Array): Uint8Array {
  const lengthBytes = payload.length < 126 ? 0 : payload.length < 65_536 ? 2 : 8;
  const start = 2 + lengthBytes + 4;
  const frame = new Uint8Array(start + payload.length);
  const view = new DataView(frame.buffer);
  frame[0] = 0x80 | kind;
  frame[1] = 0x80 | (lengthBytes === 0 ? payload.length : lengthBytes === 2 ? 126 : 127);
  if (lengthBytes === 2) view.setUint16(2, payload.length);
  if (lengthBytes === 8) view.setBigUint64(2, BigInt(payload.length));
  const mask = frame.subarray(start - 4, start);
  crypto.getRandomValues(mask);
  for (let index = 0; index < payload.length; index += 1) {
    frame[start + index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0);
  }
  return frame;
}

export function encodeClose(code: number): Uint8Array {
  return encodeFrame(opcode.close, Uint8Array.of(code >> 8, code & 0xff));
}

export class WebSocketReader {
  readonly #queue = new ByteQueue();
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #header: FrameHeader | undefined;
  /** Of a message that comes in several frames. */
  #parts: Uint8Array[] = [];
  #partsBytes = 0;
  #partsKind: number | undefined;

  push(chunk: Uint8Array): void {
    this.#queue.push(chunk);
  }

  /** The next whole message; undefined while bytes of it are missing. @throws HoldfastError INTERNAL against the rules */
  next(): ReceivedMessage | undefined {
    for (;;) {
      this.#header ??= this.#readHeader();
      const header = this.#header;
      if (header === undefined || this.#queue.length < header.bytes) return undefined;
      this.#header = undefined;
      const message = this.#takeFrame(header, this.#queue.take(header.bytes));
      if (message !== undefined) return message;
    }
  }

  #readHeader(): FrameHeader | undefined {
    const queue = this.#queue;
    if (queue.length < 2) return undefined;
    const [first, second] = [queue.at(0), queue.at(1)];
    const lengthBytes = (second & 0x7f) === 126 ? 2 : (second & 0x7f) === 127 ? 8 : 0;
    if (queue.length < 2 + lengthBytes) return undefined;
    if ((first & 0x70) !== 0) throw broken("an extension nobody asked for");
    if ((second & 0x80) !== 0) throw broken("a masked frame");
    let bytes = second & 0x7f;
    if (lengthBytes > 0) bytes = 0;
    for (let index = 0; index < lengthBytes; index += 1) bytes = bytes * 256 + queue.at(2 + index);
    const header = { isFinal: (first & 0x80) !== 0, opcode: first & 0x0f, bytes };
    if (header.opcode >= 8 && (bytes > mostControlBytes || !header.isFinal))
      throw broken("a long control frame");
    if (this.#partsBytes + bytes > mostMessageBytes) throw broken("a message over 16 MiB");
    queue.take(2 + lengthBytes);
    return header;
  }

  #takeFrame(header: FrameHeader, payload: Uint8Array): ReceivedMessage | undefined {
    switch (header.opcode) {
      case opcode.close:
        return this.#close(payload);
      case opcode.ping:
        return { kind: "ping", bytes: payload };
      case opcode.pong:
        return { kind: "pong", bytes: payload };
      case opcode.continuation:
        if (this.#partsKind === undefined) throw broken("a continuation of nothing");
        return this.#takePart(this.#partsKind, payload, header.isFinal);
      case opcode.text:
      case opcode.binary:
        if (this.#partsKind !== undefined) throw broken("a message inside another");
        if (header.isFinal) return this.#message(header.opcode, payload);
        return this.#takePart(header.opcode, payload, false);
      default:
        throw broken(`a frame of kind ${header.opcode}`);
    }
  }

  #takePart(kind: number, payload: Uint8Array, isLast: boolean): ReceivedMessage | undefined {
    this.#partsKind = kind;
    this.#parts.push(payload);
    this.#partsBytes += payload.length;
    if (!isLast) return undefined;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#partsBytes = 0;
    this.#partsKind = undefined;
    return this.#message(kind, whole);
  }

  #message(kind: number, bytes: Uint8Array): ReceivedMessage {
    return kind === opcode.text ? { kind: "text", text: this.#text(bytes) } : { kind: "binary", bytes };
  }

  #close(payload: Uint8Array): ReceivedMessage {
    if (payload.length === 1) throw broken("half a close code");
    const [high, low] = payload;
    const code = high === undefined || low === undefined ? noCloseCode : high * 256 + low;
    return { kind: "close", code, reason: this.#text(payload.subarray(2)) };
  }

  #text(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      throw broken("text that is not UTF-8");
    }
  }
}

function broken(what: string): HoldfastError {
  return new HoldfastError("INTERNAL", `the daemon broke the WebSocket protocol: ${what}`);
}
