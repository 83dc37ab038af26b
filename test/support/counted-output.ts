// Output in which every byte tells its offset: lines of 16 bytes, each its own number. Whatever of it is kept can be
// checked by the byte, also when the middle is gone.
import type { OutputEvent } from "../../src/keeper/index.ts";

export const countedLineBytes = 16;

/** A shell command that writes that many lines, from a number (or a shell expression) on. */
export function countLines(first: number | string, last: number | string): string {
  return `seq -f %015.0f ${first} ${last}`;
}

type Missing = Extract<OutputEvent, { kind: "missing" }>;

export interface CountedOutput {
  /** Offset after the last byte. */
  readonly end: number;
  readonly missing: readonly Missing[];
  /** Bytes that are wrong, repeated or passed over in silence. */
  readonly faults: readonly string[];
}

function isRight(bytes: Buffer, offset: number): boolean {
  const first = Math.floor(offset / countedLineBytes);
  const last = Math.floor((offset + bytes.length - 1) / countedLineBytes);
  let text = "";
  for (let line = first; line <= last; line++)
    text += `${String(line).padStart(countedLineBytes - 1, "0")}\n`;
  const at = offset - first * countedLineBytes;
  return bytes.equals(Buffer.from(text).subarray(at, at + bytes.length));
}

/** Reads to the end of the events, which begin at an offset. */
export async function readCounted(events: AsyncIterable<OutputEvent>, from = 0): Promise<CountedOutput> {
  const missing: Missing[] = [];
  const faults: string[] = [];
  let at = from;
  for await (const event of events) {
    if (event.kind === "data") {
      if (event.offset !== at) faults.push(`data at ${event.offset}, expected at ${at}`);
      else if (!isRight(event.bytes, at)) faults.push(`wrong bytes in ${at}+${event.bytes.length}`);
      at = event.offset + event.bytes.length;
    } else if (event.kind === "missing") {
      if (event.from !== at) faults.push(`missing from ${event.from}, expected from ${at}`);
      missing.push(event);
      at = event.to;
    }
  }
  return { end: at, missing, faults };
}
