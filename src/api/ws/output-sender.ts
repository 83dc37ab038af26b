// Sends live output to one client: as far as its credit goes, and while it takes what is sent.
import type { Socket } from "node:net";
import type { LiveOutput } from "../../protocol/live-output.ts";
import type { OutputData } from "../../protocol/live-frames.ts";
import type { Credit } from "./credit.ts";
import { outputFrame } from "./output-frame.ts";
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
    paced.sendFrame(connection, outputFrame(data, from, length));
    return length;
  }
}
