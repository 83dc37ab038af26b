// Sends live output to one client: as far as its credit goes, and while it takes what is sent.
import type { Socket } from "node:net";
import type { LiveOutput } from "../../protocol/live-output.ts";
import { dataHeaderBytes, writeDataHeader, type OutputData } from "../../protocol/live-frames.ts";
import type { Credit } from "./credit.ts";
import type { PacedSocket } from "./paced-socket.ts";

export interface OutputSenderOptions {
  readonly paced: PacedSocket;
  /** What the WebSocket runs on. */
  readonly connection: Socket;
  readonly credit: Credit;
}

export class OutputSender {
  readonly #options: OutputSenderOptions;

  constructor(options: OutputSenderOptions) {
    this.#options = options;
  }

  /** Resolves when the client can take more. Most can at once: then nothing is returned, and no line waits for a promise. */
  send(events: readonly LiveOutput[]): Promise<void> | undefined {
    const { paced, credit } = this.#options;
    let sent = 0;
    for (const event of events) {
      if (event.kind !== "data") paced.sendJson(event);
      else if (event.bytes.length <= credit.bytes && paced.hasRoom) this.#sendPart(event, 0);
      else return this.#sendWhenTaken(events.slice(sent));
      sent += 1;
    }
    return undefined;
  }

  /** What a slow client has not taken stays where it is stored. */
  async #sendWhenTaken(events: readonly LiveOutput[]): Promise<void> {
    const { paced, credit } = this.#options;
    for (const event of events) {
      if (event.kind !== "data") {
        paced.sendJson(event);
        continue;
      }
      // In as many parts as the credit makes of it.
      for (let sent = 0; sent < event.bytes.length; sent += this.#sendPart(event, sent)) {
        await credit.available();
        await paced.room();
        if (!paced.isOpen) return;
      }
    }
  }

  /** As much as there is credit for, from a place in the data on; tells how much it was. */
  #sendPart(data: OutputData, from: number): number {
    const { paced, connection, credit } = this.#options;
    const length = credit.take(data.bytes.length - from);
    paced.sendFrame(connection, encodeFrame(data, from, length));
    return length;
  }
}

// Of RFC 6455: a whole binary message in one frame, which a server does not mask.
const binaryMessage = 0x82;

function encodeFrame({ stream, at, offset, bytes }: OutputData, from: number, byteCount: number): Buffer {
  const length = dataHeaderBytes + byteCount;
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = binaryMessage;
  if (start === 2) frame[1] = length;
  else if (start === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(0, 2); // no message is over 4 GiB
    frame.writeUInt32BE(length, 6);
  }
  writeDataHeader(frame, start, stream, offset + from, at);
  frame.set(
    byteCount === bytes.length ? bytes : bytes.subarray(from, from + byteCount),
    start + dataHeaderBytes,
  );
  return frame;
}
