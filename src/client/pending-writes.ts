// Bytes on their way to a process's standard input. They stay here until they are acknowledged, so that a new connection
// can send them again; the writer's sequence keeps them from being typed twice.
import type { InputFrame } from "../protocol/live-frames.ts";

interface PendingWrite extends InputFrame {
  readonly settled: PromiseWithResolvers<void>;
}

// Small enough that typed keys do not wait behind a paste for long.
const mostFrameBytes = 65_536;

export class PendingWrites {
  /** 64 random bits, as the keeper wants them. */
  readonly writer: string;
  readonly #send: (write: InputFrame) => void;
  #pending: PendingWrite[] = [];
  #acknowledged = 0;
  #next = 0;

  constructor(send: (write: InputFrame) => void) {
    this.#send = send;
    const random = crypto.getRandomValues(new Uint8Array(8));
    this.writer = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  async add(bytes: Uint8Array): Promise<void> {
    const parts: Promise<void>[] = [];
    for (let from = 0; from < bytes.length; from += mostFrameBytes) {
      const part = bytes.slice(from, from + mostFrameBytes);
      const write = { sequence: this.#next, bytes: part, settled: Promise.withResolvers<void>() };
      this.#next += part.length;
      this.#pending.push(write);
      parts.push(write.settled.promise);
      this.#send(write);
    }
    await Promise.all(parts);
  }

  sendAgain(): void {
    for (const write of this.#pending) this.#send(write);
  }

  /** Everything before this sequence was taken. */
  acknowledge(next: number): void {
    this.#acknowledged = Math.max(this.#acknowledged, next);
    for (;;) {
      const [first] = this.#pending;
      if (first === undefined || first.sequence + first.bytes.length > next) return;
      this.#pending.shift();
      first.settled.resolve();
    }
  }

  /**
   * One write was refused. What was sent behind it cannot be taken either: its sequence has a gap before it. The answers
   * to those find no first write with their sequence and are passed over.
   */
  refuse(sequence: unknown, error: Error): void {
    if (this.#pending[0]?.sequence !== sequence) return;
    this.fail(error);
  }

  /** Nothing of what waits will be taken. */
  fail(error: unknown): void {
    const failed = this.#pending;
    this.#pending = [];
    this.#next = this.#acknowledged;
    for (const write of failed) write.settled.reject(error);
  }
}
