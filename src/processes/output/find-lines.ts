// Finding places in stored output: lines forwards from the beginning, lines and bytes backwards from the end.
import { listSegments, segmentEnd } from "../../keeper/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import { longestSequence } from "./byte-boundaries.ts";
import { findBoundary } from "./part-boundaries.ts";
import { ofStream, readRange, type StreamChoice } from "./read-range.ts";

const newline = 0x0a;
const stepBytes = 262_144;

/** Offset of the end of the stored output. */
export async function outputEnd(directory: string): Promise<number> {
  const last = (await listSegments(directory)).at(-1);
  return last === undefined ? 0 : segmentEnd(last);
}

export interface StoredExtent {
  /** The parts of the output that are stored, each without a hole. */
  readonly kept: { from: number; to: number }[];
  /** Offset of the end of the stored output. */
  readonly end: number;
}

export async function storedExtent(directory: string): Promise<StoredExtent> {
  const kept: StoredExtent["kept"] = [];
  let end = 0;
  for (const segment of await listSegments(directory)) {
    end = segmentEnd(segment);
    if (segment.sizeBytes === 0) continue;
    const last = kept.at(-1);
    if (last?.to === segment.firstOffset) last.to = end;
    else kept.push({ from: segment.firstOffset, to: end });
  }
  return { kept, end };
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

/** Where the stored output before `offset` ends: `offset` itself unless it lies in or behind a hole. */
export function keptEnd({ kept }: StoredExtent, offset: number): number {
  const last = kept.findLast(({ from }) => from < offset);
  return last === undefined ? offset : Math.min(last.to, offset);
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
      const message = `Lines before line ${line} were dropped; what is kept goes on at offset ${hole.to}.`;
      throw new HoldfastError("OUTPUT_TRIMMED", message, { details: { firstOffset: hole.to } });
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
  let isEnd = true;
  while (from > floor) {
    const to = from;
    from = Math.max(floor, from - stepBytes);
    const { parts } = await readRange(directory, { from, to, mostBytes: stepBytes });
    for (const part of parts.toReversed()) {
      if (!ofStream(part, options.stream)) continue;
      // The newline that ends the last line of this stream begins no line.
      let bytes = isEnd && part.bytes.at(-1) === newline ? part.bytes.subarray(0, -1) : part.bytes;
      isEnd = false;
      for (let at = bytes.lastIndexOf(newline); at >= 0; at = bytes.lastIndexOf(newline)) {
        bytes = bytes.subarray(0, at);
        found += 1;
        if (found === options.count) return part.offset + at + 1;
      }
    }
  }
  return floor;
}

/** Where the last so many bytes before `end` begin: behind the last hole, and inside no character or escape. */
export async function tailStart(
  directory: string,
  options: { readonly bytes: number; readonly end: number; readonly stream: StreamChoice },
): Promise<number> {
  const { bytes, end, stream } = options;
  const floor = await contiguousStart(directory, end);
  const wanted = end - bytes;
  if (wanted <= floor) return floor;
  const from = Math.max(floor, wanted - longestSequence);
  const to = Math.min(end, wanted + longestSequence);
  const { parts } = await readRange(directory, { from, to, mostBytes: to - from });
  return findBoundary(parts, wanted, stream) ?? (to === end ? end : wanted);
}
