// One OUTPUT request on a connection, as an async iterator with credit given as the consumer takes.
import { EventQueue } from "./event-queue.ts";
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
  /** Also yield the index lines. */
  readonly marks?: boolean;
  /** The most that may be under way and unread. */
  readonly creditBytes?: number;
  readonly signal?: AbortSignal;
}

/** A connection has one output at a time. */
export interface OutputClaim {
  /** Throws while somebody has it. */
  readonly take: () => void;
  readonly give: () => void;
}

/**
 * Ends with an `end` event. Leaving the loop early, or the signal, stops the keeper from sending.
 * @throws HoldfastError OUTPUT_TRIMMED (details.firstOffset), KEEPER_GONE
 */
export async function* streamOutput(
  channel: FrameChannel,
  options: OutputOptions,
  claim: OutputClaim,
): AsyncGenerator<OutputEvent, void, undefined> {
  options.signal?.throwIfAborted();
  const creditBytes = options.creditBytes ?? defaultCreditBytes;
  const encoded = encodeOutput(options, creditBytes);
  const queue = new EventQueue<OutputEvent>();
  claim.take();
  // Asking the signal at every event would cost as much as the event: it may be made of others.
  let isAborted = false;
  const abort = (): void => {
    isAborted = true;
    queue.fail(options.signal?.reason as Error); // an Error unless a caller made it otherwise
  };
  options.signal?.addEventListener("abort", abort, { once: true });
  const request = channel.ask(encoded, {
    frame: (frame) => receive(frame, queue),
    lost: (error) => queue.fail(error),
  });
  let taken = 0;
  let isOver = false;
  try {
    while (!isOver) {
      const event = await queue.take();
      isOver = event.kind === "end";
      if (event.kind === "data") taken += event.bytes.length;
      // In quarters of the credit: a frame for every one received would double the number of system calls.
      if (taken * 4 >= creditBytes) {
        channel.send(requestFrames.credit.encode({ more: taken }));
        taken = 0;
      }
      if (isAborted) options.signal?.throwIfAborted();
      yield event;
    }
  } finally {
    options.signal?.removeEventListener("abort", abort);
    if (!isOver) cancel(channel, request);
    claim.give();
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

function receive(frame: Frame, queue: EventQueue<OutputEvent>): boolean {
  switch (frame.type) {
    case frameType.data: {
      const { offset, data } = answerFrames.data.decode(frame.payload);
      queue.push({ kind: "data", offset, bytes: data });
      return false;
    }
    case frameType.mark: {
      const { kind, ...where } = answerFrames.mark.decode(frame.payload);
      const mark = markKindOf(String.fromCharCode(kind));
      if (mark !== undefined) queue.push({ kind: "mark", mark, ...where });
      return false;
    }
    case frameType.missing: {
      const { from, to, why } = answerFrames.missing.decode(frame.payload);
      queue.push({ kind: "missing", from, to, why: why === 2 ? "gap" : "dropped" });
      return false;
    }
    case frameType.outputEnd: {
      const { nextOffset, why } = answerFrames.outputEnd.decode(frame.payload);
      queue.push({ kind: "end", nextOffset, why: why === 2 ? "closed" : "reached" });
      return true;
    }
    case frameType.error:
      queue.fail(errorOfFrame(frame.payload));
      return true;
    default:
      return false; // a newer minor version's
  }
}
