// A socket that hands each read to one receiver, past the machinery of streams: for short messages that machinery, and the 64 KiB
// Node allocates for each read, cost more than the reading.
import { Socket } from "node:net";

// One for all: what was read is copied before anybody else reads.
const readBuffer = Buffer.allocUnsafeSlow(65_536);

export class DirectSocket extends Socket {
  #receiver: ((chunk: Buffer) => void) | undefined;

  constructor() {
    super({
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          this.#receiver?.(Buffer.from(readBuffer.subarray(0, length)));
          return true;
        },
      },
    });
    // Until there is a receiver nothing is read, not even the end.
    this.pause();
  }

  /** Begins to read. The chunks are the receiver's to keep. */
  receive(receiver: (chunk: Buffer) => void): void {
    this.#receiver = receiver;
    this.resume();
  }
}
