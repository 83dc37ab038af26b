// Finding line starts in stored output: forwards from the beginning, backwards from the end.
import { listSegments, segmentEnd } from "../../keeper/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import { readRange, type OutputPart } from "./read-range.ts";

const newline = 0x0a;
const stepBytes = 262_144;

export type StreamChoice = "both" | "stdout" | "stderr";

export function ofStream(part: OutputPart, stream: StreamChoice): boolean {
  return stream === "both" || part.stream === stream;
}

/** Offset of the end of the stored output. */
export async function outputEnd(directory: string): Promise<number> {
  const last = (await listSegments(directory)).at(-1);
  return last === undefined ? 0 : segmentEnd(last);
}

/** The parts of the output that are stored, each without a hole. */
export async function keptRanges(directory: string): Promise<{ from: number; to: number }[]> {
  const ranges: { from: number; to: number }[] = [];
  for (const segment of await listSegments(directory)) {
    const last = ranges.at(-1);
    if (segment.sizeBytes === 0) continue;
    if (last?.to === segment.firstOffset) last.to = segmentEnd(segment);
    else ranges.push({ from: segment.firstOffset, to: segmentEnd(segment) });
  }
  return ranges;
}

/** Where the contiguous stored output that contains or ends at `offset` begins. */
export async function contiguousStart(directory: string, offset: number): Promise<number> {
  const segments = (await listSegments(directory)).filter((segment) => segment.firstOffset < offset);
  let start = offset;
  for (const segment of segments.toReversed()) {
    if (segmentEnd(segment) < start && start !== offset) break;
    start = segment.firstOffset;
  }
  return start;
}

/**
 * The offset at which line `line` (from 1) begins; the end if there are fewer.
 * @throws HoldfastError OUTPUT_TRIMMED when lines before it were dropped, so that nobody knows which it is
 */
export async function lineOffset(directory: string, line: number, stream: StreamChoice): Promise<number> {
  let wanted = line - 1;
  let position = 0;
  while (wanted > 0) {
    const range = await readRange(directory, {
      from: position,
      to: Number.MAX_SAFE_INTEGER,
      mostBytes: stepBytes,
    });
    const hole = range.missing[0];
    for (const part of range.parts) {
      if (hole !== undefined && part.offset >= hole.to) break;
      if (!ofStream(part, stream)) continue;
      for (
        let at = part.bytes.indexOf(newline);
        at >= 0 && wanted > 0;
        at = part.bytes.indexOf(newline, at + 1)
      ) {
        wanted -= 1;
        if (wanted === 0) return part.offset + at + 1;
      }
    }
    if (hole !== undefined) {
      throw new HoldfastError("OUTPUT_TRIMMED", `Lines before line ${line} were dropped.`, {
        details: { firstOffset: hole.to },
      });
    }
    if (range.next === position || range.parts.length === 0) return range.next;
    position = range.next;
  }
  return position;
}

/** Where the last `count` lines before `end` begin; as far back as there is stored output without a hole. */
export async function tailOffset(
  directory: string,
  options: { readonly count: number; readonly end: number; readonly stream: StreamChoice },
): Promise<number> {
  const floor = await contiguousStart(directory, options.end);
  let from = options.end;
  let found = 0;
  while (from > floor) {
    const to = from;
    from = Math.max(floor, from - stepBytes);
    const { parts } = await readRange(directory, { from, to, mostBytes: stepBytes });
    for (const part of parts.toReversed()) {
      if (!ofStream(part, options.stream)) continue;
      for (
        let at = part.bytes.lastIndexOf(newline);
        at >= 0;
        at = at === 0 ? -1 : part.bytes.lastIndexOf(newline, at - 1)
      ) {
        // The newline that ends the last line begins no line.
        if (part.offset + at + 1 >= options.end) continue;
        found += 1;
        if (found === options.count) return part.offset + at + 1;
      }
    }
  }
  return floor;
}
