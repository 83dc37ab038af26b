// Reads the output of one process from an offset on and hands it over step by step, whatever happens to keepers meanwhile.
import type { KeptProcess, OutputEvent } from "../../keeper/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import { sizeInForce } from "../../protocol/terminal-size.ts";
import type { OutputStep } from "./output-queue.ts";

export interface FollowOptions {
  readonly kept: KeptProcess;
  readonly from: number;
  /** Sizes that were set up to then are known. */
  readonly resizedUs: number;
  /** A step never lies on both sides of this offset. */
  readonly boundary: number;
  readonly signal: AbortSignal;
  /** Waited for when it says so; most steps are taken at once. */
  readonly onStep: (step: OutputStep) => Promise<void> | undefined;
}

/** Until its end. @throws HoldfastError KEEPER_UNREACHABLE, RUN_NOT_FOUND; the signal's reason */
export async function followOutput(options: FollowOptions): Promise<void> {
  try {
    await follow(options, options.from);
  } catch (error) {
    const first = isHoldfastError(error, "OUTPUT_TRIMMED") ? error.details["firstOffset"] : undefined;
    if (typeof first !== "number" || first <= options.from) throw error;
    await options.onStep({ kind: "missing", missing: { from: options.from, to: first } });
    await follow(options, first);
  }
}

async function follow({ kept, signal, onStep, ...known }: FollowOptions, from: number): Promise<void> {
  await kept.follow({ from, follow: true, marks: true, signal }, (events) => {
    let taking: Promise<void> | undefined;
    // In order: what comes after a step that waits, waits as well.
    for (const step of stepsOf(events, known))
      taking = taking === undefined ? onStep(step) : taking.then(() => onStep(step));
    return taking;
  });
}

function* stepsOf(
  events: readonly OutputEvent[],
  { boundary, resizedUs }: Pick<FollowOptions, "boundary" | "resizedUs">,
): Generator<OutputStep, void, undefined> {
  for (const event of events) {
    if (event.kind === "data") {
      const { bytes, offset } = event;
      const before = boundary > offset ? Math.min(bytes.length, boundary - offset) : 0;
      if (before > 0) yield { kind: "data", bytes: bytes.subarray(0, before) };
      if (before < bytes.length) yield { kind: "data", bytes: bytes.subarray(before) };
    } else if (event.kind === "missing") {
      yield { kind: "missing", missing: { from: event.from, to: event.to } };
    } else if (event.kind === "end") {
      yield { kind: "end" };
    } else if (event.mark === "resized" && event.timeUs > resizedUs) {
      const size = sizeInForce({ columns: event.value >>> 16, rows: event.value & 0xff_ff });
      yield { kind: "resized", size, atUs: event.timeUs };
    }
  }
}
