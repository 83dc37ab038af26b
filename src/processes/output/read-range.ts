// Bytes of a run between two offsets, with the stream and time of each part, read from its files.
import { readStoredOutput } from "../../keeper/index.ts";

export interface OutputPart {
  readonly offset: number;
  readonly bytes: Buffer;
  readonly stream: "stdout" | "stderr";
  /** Microseconds since the start of the process. */
  readonly timeUs: number;
}

export type StreamChoice = "both" | "stdout" | "stderr";

export function ofStream(part: OutputPart, stream: StreamChoice): boolean {
  return stream === "both" || part.stream === stream;
}

export interface OutputRange {
  readonly parts: readonly OutputPart[];
  readonly missing: readonly {
    readonly from: number;
    readonly to: number;
    readonly why: "dropped" | "gap";
  }[];
  /** Where the next read goes on. */
  readonly next: number;
  /** Offset of the end of output, as far as this read saw it. */
  readonly end: number;
}

/**
 * Everything in [from, to), at most `mostBytes`.
 * @throws HoldfastError OUTPUT_TRIMMED when `from` itself is not kept
 */
export async function readRange(
  directory: string,
  options: { readonly from: number; readonly to: number; readonly mostBytes: number },
): Promise<OutputRange> {
  const parts: OutputPart[] = [];
  const missing: { from: number; to: number; why: "dropped" | "gap" }[] = [];
  let stream: "stdout" | "stderr" = "stdout";
  let timeUs = 0;
  let taken = 0;
  let next = options.from;
  for await (const event of readStoredOutput(directory, { from: options.from, marks: true })) {
    if (event.kind === "mark") {
      if (event.mark === "stdout" || event.mark === "stderr") {
        stream = event.mark;
        timeUs = event.timeUs;
      }
      continue;
    }
    if (event.kind === "end")
      return { parts, missing, next: Math.min(event.nextOffset, options.to), end: event.nextOffset };
    if (event.kind === "missing") {
      if (event.from >= options.to) break;
      const to = Math.min(event.to, options.to);
      missing.push({ from: event.from, to, why: event.why });
      next = to;
      continue;
    }
    const room = Math.min(options.to - event.offset, options.mostBytes - taken);
    if (room <= 0) break;
    const bytes = event.bytes.subarray(0, room);
    parts.push({ offset: event.offset, bytes, stream, timeUs });
    taken += bytes.length;
    next = event.offset + bytes.length;
    if (bytes.length < event.bytes.length) break;
  }
  return { parts, missing, next, end: next };
}
