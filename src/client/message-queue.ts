// Messages as they arrive, for one reader that asks for them. Says when the reader has fallen behind.

export interface MessageQueueOptions {
  /** Called when more than `most` wait, and again when half of them have gone. */
  readonly onFull: () => void;
  readonly onRoom: () => void;
}

const mostMessages = 1_000;
const mostBytes = 4 * 1024 * 1024;

export class MessageQueue {
  readonly #options: MessageQueueOptions;
  #messages: (string | Uint8Array)[] = [];
  #taken = 0;
  #bytes = 0;
  #isFull = false;
  #isClosed = false;
  #waiting: ((message: string | Uint8Array | undefined) => void) | undefined;

  constructor(options: MessageQueueOptions) {
    this.#options = options;
  }

  push(message: string | Uint8Array): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) {
      waiting(message);
      return;
    }
    this.#messages.push(message);
    this.#bytes += message.length;
    if (!this.#isFull && (this.#count > mostMessages || this.#bytes > mostBytes)) {
      this.#isFull = true;
      this.#options.onFull();
    }
  }

  /** What was pushed before is still handed out. */
  close(): void {
    this.#isClosed = true;
    this.#waiting?.(undefined);
    this.#waiting = undefined;
  }

  take(): Promise<string | Uint8Array | undefined> {
    const message = this.#messages[this.#taken];
    if (message === undefined) {
      if (this.#isClosed) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        this.#waiting = resolve;
      });
    }
    this.#taken += 1;
    this.#bytes -= message.length;
    // Not shift(): on a long array it moves every element, every time.
    if (this.#taken * 2 > this.#messages.length) {
      this.#messages = this.#messages.slice(this.#taken);
      this.#taken = 0;
    }
    if (this.#isFull && this.#count < mostMessages / 2 && this.#bytes < mostBytes / 2) {
      this.#isFull = false;
      this.#options.onRoom();
    }
    return Promise.resolve(message);
  }

  get #count(): number {
    return this.#messages.length - this.#taken;
  }
}
