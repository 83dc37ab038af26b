// One OUTPUT request on a connection: what comes goes to its consumer at once, with credit given as that takes it.
import type { FrameChannel } from "./frame-channel.ts";
import { answerFrames, errorOfFrame, requestFrames, type Frame } from "./frames.ts";
import { endOfOutput, frameType, outputFlag } from "./numbers.ts";
import { markKindOf, type OutputEvent } from "./output-event.ts";

// Eight of the largest frames under way hide the round trip of a CREDIT, also through ssh.
const defaultCreditBytes = 1_048_576;

export interface OutputOptions {
  /** Absolute offset, or from the end as it is now; default 0. */
  readonly from?: number | "end";
  /** Wait for what is still to come; default false. */
  readonly follow?: boolean;
  /** Also tell the index lines. */
  readonly marks?: boolean;
  /** The most that may be under way and unread. */
  readonly creditBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * Called with what came together, in order. It is called again when what it returns has resolved; where it returns nothing, as soon
 * as more has come. A line that is passed on needs no promise.
 */
export type OutputConsumer = (events: readonly OutputEvent[]) => Promise<void> | undefined;

/** A connection has one output at a time. */
export interface OutputClaim {
  /** Throws while somebody has it. */
  readonly take: () => void;
  readonly give: () => void;
}

/**
 * Resolves when its `end` was consumed. The signal, or a consumer that throws, stops the keeper from sending.
 * @throws HoldfastError OUTPUT_TRIMMED (details.firstOffset), KEEPER_GONE; what the consumer throws
 */
export async function streamOutput(
  channel: FrameChannel,
  options: OutputOptions,
  claim: OutputClaim,
  consume: OutputConsumer,
): Promise<void> {
  options.signal?.throwIfAborted();
  const creditBytes = options.creditBytes ?? defaultCreditBytes;
  const encoded = encodeOutput(options, creditBytes);
  claim.take();
  const delivery = new Delivery(consume, (bytes) => {
    // In quarters of the credit: a frame for every one received would double the number of system calls.
    if (bytes * 4 < creditBytes) return false;
    channel.send(requestFrames.credit.encode({ more: bytes }));
    return true;
  });
  const abort = (): void => delivery.abandon(options.signal?.reason as Error); // an Error unless a caller made it otherwise
  options.signal?.addEventListener("abort", abort, { once: true });
  const request = channel.ask(encoded, {
    frame: (frame) => receive(frame, delivery),
    drained: () => delivery.flush(),
    lost: (error) => delivery.fail(error),
  });
  try {
    await delivery.done;
  } finally {
    options.signal?.removeEventListener("abort", abort);
    if (!delivery.hasEnded) cancel(channel, request);
    claim.give();
  }
}

/** Between the frames and the consumer. Bounded by the credit: what was not consumed is not paid for. */
class Delivery {
  readonly #consume: OutputConsumer;
  readonly #pay: (bytes: number) => boolean;
  readonly #settled = Promise.withResolvers<void>();
  #waiting: OutputEvent[] = [];
  #isBusy = false;
  #isOver = false;
  #unpaidBytes = 0;
  #failure: { readonly error: Error } | undefined;
  hasEnded = false;

  /** `pay` gives the keeper this much credit back, or says that it is too little yet. */
  constructor(consume: OutputConsumer, pay: (bytes: number) => boolean) {
    this.#consume = consume;
    this.#pay = pay;
  }

  get done(): Promise<void> {
    return this.#settled.promise;
  }

  /** Handed over by `flush`. */
  push(event: OutputEvent): void {
    this.#waiting.push(event);
  }

  flush(): void {
    while (!this.#isBusy && !this.#isOver && this.#waiting.length > 0) this.#hand();
    if (!this.#isBusy && this.#waiting.length === 0) this.#settle();
  }

  /** Nothing more comes; what came before is still consumed first. */
  fail(error: Error): void {
    this.#failure ??= { error };
    this.flush();
  }

  /** At once. */
  abandon(error: unknown): void {
    this.#isOver = true;
    this.#settled.reject(error);
  }

  #hand(): void {
    const events = this.#waiting;
    this.#waiting = [];
    try {
      const taking = this.#consume(events);
      if (taking === undefined) this.#took(events);
      else void this.#afterwards(taking, events);
    } catch (error) {
      this.abandon(error);
    }
  }

  async #afterwards(taking: Promise<void>, events: readonly OutputEvent[]): Promise<void> {
    this.#isBusy = true;
    try {
      await taking;
      this.#isBusy = false;
      this.#took(events);
      this.flush();
    } catch (error) {
      this.abandon(error);
    }
  }

  #took(events: readonly OutputEvent[]): void {
    for (const event of events) {
      if (event.kind === "data") this.#unpaidBytes += event.bytes.length;
      else if (event.kind === "end") this.hasEnded = true;
    }
    if (this.#pay(this.#unpaidBytes)) this.#unpaidBytes = 0;
  }

  #settle(): void {
    if (this.hasEnded) this.#settled.resolve();
    else if (this.#failure !== undefined) this.abandon(this.#failure.error);
  }
}

function encodeOutput(options: OutputOptions, credit: number): Buffer {
  const from = options.from === "end" ? endOfOutput : BigInt(options.from ?? 0);
  const flags =
    (options.follow === true ? outputFlag.follow : 0) | (options.marks === true ? outputFlag.marks : 0);
  return requestFrames.output.encode({ from, credit, flags });
}

/** A second OUTPUT replaces the first; one without credit at the end sends nothing. */
function cancel(channel: FrameChannel, request: number): void {
  channel.forget(request);
  channel.ask(requestFrames.output.encode({ from: endOfOutput, credit: 0, flags: 0 }), {
    frame: () => true,
    lost: () => undefined,
  });
}

function receive(frame: Frame, delivery: Delivery): boolean {
  switch (frame.type) {
    case frameType.data: {
      const { offset, data } = answerFrames.data.decode(frame.payload);
      delivery.push({ kind: "data", offset, bytes: data });
      return false;
    }
    case frameType.mark: {
      const { kind, timeUs, offset, value } = answerFrames.mark.decode(frame.payload);
      const mark = markKindOf(String.fromCharCode(kind));
      if (mark !== undefined) delivery.push({ kind: "mark", mark, timeUs, offset, value });
      return false;
    }
    case frameType.missing: {
      const { from, to, why } = answerFrames.missing.decode(frame.payload);
      delivery.push({ kind: "missing", from, to, why: why === 2 ? "gap" : "dropped" });
      return false;
    }
    case frameType.outputEnd: {
      const { nextOffset, why } = answerFrames.outputEnd.decode(frame.payload);
      delivery.push({ kind: "end", nextOffset, why: why === 2 ? "closed" : "reached" });
      delivery.flush();
      return true;
    }
    case frameType.error:
      delivery.fail(errorOfFrame(frame.payload));
      return true;
    default:
      return false; // a newer minor version's
  }
}
