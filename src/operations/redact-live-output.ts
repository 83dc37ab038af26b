// The live output of a process for a session, which goes to a model: each byte of a secret is a star, so that every offset stays what it is.
import { setTimeout as delay } from "node:timers/promises";
import { isHoldfastError } from "../protocol/errors.ts";
import type { LiveOutput } from "../protocol/live-output.ts";
import { redactionContextBytes, type Redactor } from "../redaction/index.ts";

// What may be the beginning of a secret is held back for so long, unless more comes: a prompt must not wait for ever.
const pauseMs = 200;

export interface LiveSource {
  /** From an offset on. @throws HoldfastError OUTPUT_TRIMMED (details.firstOffset) */
  readonly read: (from: number) => AsyncIterable<LiveOutput>;
  /** Where the reader begins. */
  readonly from: () => Promise<number>;
}

/** What stands before `from` is read too: a secret that begins there is one. */
export async function* redactLiveOutput(
  redactor: Redactor,
  source: LiveSource,
): AsyncGenerator<LiveOutput, void, undefined> {
  const from = await source.from();
  let begin = Math.max(0, from - redactionContextBytes);
  for (;;) {
    try {
      for await (const event of maskEvents(redactor, source.read(begin), begin > 0)) {
        const cut = after(event, from);
        if (cut !== undefined) yield cut;
      }
      return;
    } catch (error) {
      const first = isHoldfastError(error, "OUTPUT_TRIMMED") ? error.details["firstOffset"] : undefined;
      // Of what was asked for everything is there, only not all that stands before it.
      if (typeof first !== "number" || first > from || first <= begin) throw error;
      begin = first;
    }
  }
}

/** Undefined for what lies before it. */
function after(event: LiveOutput, from: number): LiveOutput | undefined {
  if (event.kind === "end") return event;
  if (event.kind === "resized") return event.offset < from ? undefined : event;
  if (event.kind === "missing")
    return event.to <= from ? undefined : { ...event, from: Math.max(event.from, from) };
  const skip = Math.max(0, from - event.offset);
  if (skip === 0) return event;
  if (skip >= event.bytes.length) return undefined;
  return { ...event, offset: from, bytes: event.bytes.subarray(skip) };
}

async function* maskEvents(
  redactor: Redactor,
  events: AsyncIterable<LiveOutput>,
  startsInside: boolean,
): AsyncGenerator<LiveOutput, void, undefined> {
  const queue = new HeldEvents();
  let stream = redactor.byteStream({ startsInside });
  for await (const event of withPauses(events, () => stream.holdsBack)) {
    if (event === "pause") {
      yield* queue.tell(stream.pause());
      continue;
    }
    queue.add(event);
    if (event.kind === "data") yield* queue.tell(stream.push(event.bytes));
    else if (event.kind === "resized") yield* queue.tell(new Uint8Array());
    else {
      yield* queue.tell(stream.end({ isCut: event.kind === "missing" }));
      stream = redactor.byteStream({ startsInside: true });
    }
  }
}

/** A pause where nothing has come for a while, as long as something is held back. */
async function* withPauses(
  events: AsyncIterable<LiveOutput>,
  isWaiting: () => boolean,
): AsyncGenerator<LiveOutput | "pause", void, undefined> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      next.catch(() => undefined); // awaited below, perhaps after a pause
      if (isWaiting() && (await isSlow(next))) yield "pause";
      const result = await next;
      if (result.done === true) return;
      yield result.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function isSlow(next: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const pause = delay(pauseMs, true, { signal: over.signal, ref: false });
  pause.catch(() => undefined); // it was not needed
  const isPause = await Promise.race([next.then(() => false), pause]).catch(() => false); // told by whoever awaits it
  over.abort();
  return isPause;
}

/** Events in their order: what comes behind held bytes waits for them. */
class HeldEvents {
  readonly #events: LiveOutput[] = [];
  /** Told of the first one. */
  #told = 0;

  add(event: LiveOutput): void {
    this.#events.push(event);
  }

  /** The bytes that follow those told before, and whatever waited for them. */
  *tell(bytes: Uint8Array): Generator<LiveOutput, void, undefined> {
    let at = 0;
    for (let first = this.#events[0]; first !== undefined; first = this.#events[0]) {
      if (first.kind !== "data") {
        yield first;
      } else {
        const part = bytes.subarray(at, at + first.bytes.length - this.#told);
        if (part.length > 0) yield { ...first, offset: first.offset + this.#told, bytes: part };
        at += part.length;
        this.#told += part.length;
        if (this.#told < first.bytes.length) return;
        this.#told = 0;
      }
      this.#events.shift();
    }
  }
}
