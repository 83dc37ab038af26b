// Output that goes on through the death of keepers: same offset, no gap, no repetition, each mark once.
import { isHoldfastError } from "../protocol/errors.ts";
import type { Mark, OutputEvent } from "./output-event.ts";
import type { OutputConsumer, OutputOptions } from "./output-stream.ts";
import { reachKeeper, type ReachOptions, type Reached, type RunTarget } from "./reach-keeper.ts";
import { readStoredOutput } from "./stored-output.ts";

// Losses in a row without one event between: more than that is not bad luck.
const mostFruitlessAttempts = 8;

/** Where the reader is; what a resumed stream must not repeat. */
interface Progress {
  next: number | "end";
  hasBegun: boolean;
  isOver: boolean;
  fruitlessAttempts: number;
  /** Latest time of a mark, and the marks of that time: the index is in the order of time. */
  markTimeUs: number;
  marksAtThatTime: Mark[];
}

/** Resolves when its `end` was consumed. @throws HoldfastError OUTPUT_TRIMMED for the first byte asked for, and as reachKeeper */
export async function resumedOutput(
  target: RunTarget,
  options: OutputOptions & ReachOptions,
  consume: OutputConsumer,
): Promise<void> {
  const progress: Progress = {
    next: options.from ?? 0,
    hasBegun: false,
    isOver: false,
    fruitlessAttempts: 0,
    markTimeUs: -1,
    marksAtThatTime: [],
  };
  const advancing: OutputConsumer = (events) => {
    const fresh = advance(progress, events);
    return fresh.length === 0 ? undefined : consume(fresh);
  };
  while (!progress.isOver) {
    const reached = await reachKeeper(target, options);
    try {
      await read(reached, progress, options, advancing);
    } catch (error) {
      const missing = missingBecauseOf(error, progress);
      if (missing !== undefined) await advancing([missing]);
      else if (
        !isHoldfastError(error, "KEEPER_GONE") ||
        ++progress.fruitlessAttempts > mostFruitlessAttempts
      ) {
        throw error;
      }
    } finally {
      if (reached.kind === "live") reached.connection.close();
    }
  }
}

async function read(
  reached: Reached,
  progress: Progress,
  options: OutputOptions,
  consume: OutputConsumer,
): Promise<void> {
  if (reached.kind === "ended") {
    const stored = readStoredOutput(reached.directory, { ...options, from: progress.next });
    for await (const event of stored) await consume([event]);
    return;
  }
  if (progress.next === "end") {
    // A number, so that what comes during a later reconnect is not passed over.
    progress.next = reached.connection.state.outputBytes;
    progress.hasBegun = true;
  }
  await reached.connection.follow({ ...options, from: progress.next }, consume);
}

/** Notes how far the reader is; leaves out marks it has already had. */
function advance(progress: Progress, events: readonly OutputEvent[]): readonly OutputEvent[] {
  let fresh: OutputEvent[] | undefined;
  for (let index = 0; index < events.length; index += 1) {
    const event = events[index] as OutputEvent; // within the length
    if (event.kind === "mark" && !isNewMark(progress, event)) {
      fresh ??= events.slice(0, index);
      continue;
    }
    fresh?.push(event);
    progress.hasBegun = true;
    progress.fruitlessAttempts = 0;
    if (event.kind === "data") progress.next = event.offset + event.bytes.length;
    else if (event.kind === "missing") progress.next = event.to;
    else if (event.kind === "end") progress.isOver = true;
  }
  return fresh ?? events;
}

function isNewMark(progress: Progress, mark: Mark): boolean {
  if (mark.timeUs < progress.markTimeUs) return false;
  if (mark.timeUs > progress.markTimeUs) {
    progress.markTimeUs = mark.timeUs;
    progress.marksAtThatTime = [];
  }
  const isKnown = progress.marksAtThatTime.some((known) => {
    return known.mark === mark.mark && known.offset === mark.offset && known.value === mark.value;
  });
  if (!isKnown) progress.marksAtThatTime.push(mark);
  return !isKnown;
}

/** A reader that was overtaken while it had no connection is told what it missed, as a connected one is. */
function missingBecauseOf(error: unknown, progress: Progress): OutputEvent | undefined {
  if (!progress.hasBegun || typeof progress.next !== "number") return undefined;
  if (!isHoldfastError(error, "OUTPUT_TRIMMED")) return undefined;
  const to = error.details["firstOffset"];
  if (typeof to !== "number" || to <= progress.next) return undefined;
  return { kind: "missing", from: progress.next, to, why: "dropped" };
}
