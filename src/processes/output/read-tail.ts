// The newest bytes of a run, without their times and streams: a few steps on the files themselves. A notice is told with the end of an
// output, and a list with its last line: a thousand of them at once must not each read an index.
import { open } from "node:fs/promises";
import { listSegments, segmentEnd, type Segment } from "../../keeper/index.ts";

export interface OutputTail {
  readonly bytes: Buffer;
  /** Offset of the first of them. */
  readonly from: number;
  /** Offset of the end of the stored output. */
  readonly end: number;
}

/** At most so many, back to the last hole. @throws HoldfastError RUN_NOT_FOUND */
export async function readTail(directory: string, mostBytes: number): Promise<OutputTail> {
  const segments = await listSegments(directory);
  const last = segments.at(-1);
  const end = last === undefined ? 0 : segmentEnd(last);
  const first = Math.max(0, end - mostBytes);
  const parts: Buffer[] = [];
  let from = end;
  for (const segment of segments.toReversed()) {
    if (from <= first || segmentEnd(segment) < from) break;
    const start = Math.max(first, segment.firstOffset);
    const bytes = await readBetween(segment, start, from);
    if (bytes === undefined) break;
    parts.unshift(bytes);
    from = start;
  }
  return { bytes: Buffer.concat(parts), from, end };
}

/** Undefined when it was dropped since it was listed. */
async function readBetween(segment: Segment, from: number, to: number): Promise<Buffer | undefined> {
  const file = await open(segment.logPath).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.allocUnsafe(to - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from - segment.firstOffset);
    return bytesRead === bytes.length ? bytes : undefined;
  } finally {
    await file.close();
  }
}
