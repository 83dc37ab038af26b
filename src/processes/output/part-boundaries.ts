// Where parts of an output may be cut. Each stream has its own sequences: what one writes does not end those of the other.
import { BoundaryTracker } from "./byte-boundaries.ts";
import { ofStream, type OutputPart, type StreamChoice } from "./read-range.ts";

const newline = 0x0a;

/** Both streams of an output, part by part. */
class PartTracker {
  #trackers = { stdout: new BoundaryTracker(), stderr: new BoundaryTracker() };
  #end: number | undefined;

  get isBoundary(): boolean {
    return this.#trackers.stdout.isBoundary && this.#trackers.stderr.isBoundary;
  }

  /** That of its stream. Nothing goes on behind a hole. */
  of(part: OutputPart): BoundaryTracker {
    if (this.#end !== undefined && this.#end !== part.offset)
      this.#trackers = { stdout: new BoundaryTracker(), stderr: new BoundaryTracker() };
    this.#end = part.offset + part.bytes.length;
    return this.#trackers[part.stream];
  }
}

export interface CutLimits {
  readonly stream: StreamChoice;
  readonly bytes: number;
  readonly lines: number | undefined;
}

export interface Cut {
  /** The last offset within the limits at which a cut splits nothing; if there is none, the first one behind them. */
  readonly at: number | undefined;
  /** Are there parts behind the limits? */
  readonly isLimited: boolean;
}

/** Where to cut parts that follow each other, so that neither a character nor an escape is split. */
export function findCut(parts: readonly OutputPart[], { stream, bytes, lines }: CutLimits): Cut {
  const tracker = new PartTracker();
  let at: number | undefined;
  let taken = 0;
  let seen = 0;
  for (const part of parts) {
    const own = tracker.of(part);
    const isTold = ofStream(part, stream);
    for (let index = 0; index < part.bytes.length; index += 1) {
      if (taken >= bytes && at !== undefined) return { at, isLimited: true };
      const byte = part.bytes[index] ?? 0;
      if (isTold) own.push(byte);
      taken += 1;
      if (isTold && byte === newline) seen += 1;
      if (!tracker.isBoundary) continue;
      if (taken <= bytes || at === undefined) at = part.offset + index + 1;
      if (lines !== undefined && seen >= lines) return { at, isLimited: true };
    }
  }
  return { at, isLimited: taken > bytes };
}

/** The first offset from `from` on at which a cut splits nothing. */
export function findBoundary(
  parts: readonly OutputPart[],
  from: number,
  stream: StreamChoice,
): number | undefined {
  const tracker = new PartTracker();
  for (const part of parts) {
    const own = tracker.of(part);
    const isTold = ofStream(part, stream);
    for (const [index, byte] of part.bytes.entries()) {
      if (isTold) own.push(byte);
      const at = part.offset + index + 1;
      if (at >= from && tracker.isBoundary) return at;
    }
  }
  return undefined;
}

/** Parts with whole characters and escapes: one that was written in several parts belongs to the one in which it begins. */
export function wholeParts(parts: readonly OutputPart[]): OutputPart[] {
  const tracker = new PartTracker();
  const whole: OutputPart[] = [];
  const last = { stdout: -1, stderr: -1 };
  for (const part of parts) {
    const own = tracker.of(part);
    let at = 0;
    while (!own.isBoundary && at < part.bytes.length) own.push(part.bytes[at++] ?? 0);
    const before = whole[last[part.stream]];
    if (at > 0 && before !== undefined) {
      const bytes = Buffer.concat([before.bytes, part.bytes.subarray(0, at)]);
      whole[last[part.stream]] = { ...before, bytes };
    }
    if (at === part.bytes.length) continue;
    const rest = part.bytes.subarray(at);
    for (let index = 0; index < rest.length; index += 1) own.push(rest[index] ?? 0);
    last[part.stream] = whole.push({ ...part, offset: part.offset + at, bytes: rest }) - 1;
  }
  return whole;
}

/** What of the parts lies before an offset. */
export function partsBefore(parts: readonly OutputPart[], offset: number): OutputPart[] {
  return parts
    .filter((part) => part.offset < offset)
    .map((part) => ({ ...part, bytes: part.bytes.subarray(0, offset - part.offset) }));
}
