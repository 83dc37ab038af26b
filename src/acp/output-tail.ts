// The end of an output, within so many bytes and whole characters.
import type { CallOptions, Operations } from "../protocol/operations.ts";

export interface OutputTail {
  readonly output: string;
  /** Is something of it left out, at the beginning or because it is no longer kept? */
  readonly truncated: boolean;
}

// No answer of the daemon carries more.
const pageBytes = 1_048_576;
// A character has at most four bytes: one that is cut at the front is cut off whole.
const spareBytes = 4;

/** @throws HoldfastError as process.output */
export async function outputTail(
  operations: Operations,
  id: string,
  limitBytes: number,
  options: CallOptions,
): Promise<OutputTail> {
  const first = { id, tailBytes: limitBytes + spareBytes };
  const pages: string[] = [];
  let isWhole = true;
  for (let from: number | undefined, end = Infinity; from === undefined || from < end;) {
    const page = await operations.call(
      "process.output",
      { ...(from === undefined ? first : { id, from }), limitBytes: pageBytes, format: "text", redact: true },
      options,
    );
    if (pages.length === 0) {
      isWhole = page.from === 0;
      end = page.end; // what comes while we read is for the next look
    }
    pages.push(page.text ?? "");
    if (page.omitted.length > 0) isWhole = false;
    if (page.next === from) break;
    from = page.next;
  }
  const text = pages.join("");
  const output = lastBytes(isWhole ? text : text.replace(/^\ufffd{1,3}/, ""), limitBytes);
  return { output, truncated: !isWhole || output.length < text.length };
}

/** As many whole characters of the end as fit. */
export function lastBytes(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limitBytes) return text;
  let from = bytes.length - limitBytes;
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from++;
  return bytes.toString("utf8", from);
}
