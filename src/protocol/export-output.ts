// The whole kept output of a process as a file, up to where it ends now. Nothing of Node: where the output comes from is
// the caller's to say.
import { AsciicastWriter } from "./asciicast.ts";
import { isHoldfastError } from "./errors.ts";
import type { LiveOutput } from "./live-output.ts";
import type { OutputOutput } from "./output.ts";
import type { ProcessView } from "./process.ts";

export const exportFormats = ["asciicast", "raw", "plain"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportSource {
  readonly process: ProcessView;
  readonly live: (from: number) => AsyncIterable<LiveOutput>;
  /** A page of plain text from an offset on. */
  readonly page: (from: number) => Promise<Pick<OutputOutput, "text" | "next" | "end">>;
}

export function exportOutput(
  source: ExportSource,
  format: ExportFormat,
): AsyncGenerator<string | Uint8Array, void, undefined> {
  if (format === "plain") return exportPlain(source);
  return format === "raw" ? exportRaw(source) : exportAsciicast(source);
}

async function* exportAsciicast(source: ExportSource): AsyncGenerator<string, void, undefined> {
  const writer = new AsciicastWriter(source.process);
  for await (const event of keptOutput(source)) {
    const lines = writer.write(event);
    if (lines !== "") yield lines;
  }
  yield writer.end();
}

async function* exportRaw(source: ExportSource): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const event of keptOutput(source)) if (event.kind === "data") yield event.bytes;
}

async function* exportPlain({ process, page }: ExportSource): AsyncGenerator<string, void, undefined> {
  for (let from = 0; from < process.outputBytes;) {
    const { text = "", next } = await afterDropped(from, page);
    if (text !== "") yield text;
    if (next <= from) return;
    from = next;
  }
}

/** What was dropped at the beginning is passed over; what is missing later is told as such. */
async function* keptOutput({ process, live }: ExportSource): AsyncGenerator<LiveOutput, void, undefined> {
  const end = process.outputBytes;
  let from = 0;
  while (from < end) {
    try {
      for await (const event of live(from)) {
        if (event.kind === "end") return;
        yield cutAt(event, end);
        from = nextOf(event, from);
        if (from >= end) return;
      }
      return;
    } catch (error) {
      const to = firstKept(error, from);
      yield { kind: "missing", from, to, why: "dropped" };
      from = to;
    }
  }
}

async function afterDropped<Answer>(from: number, read: (from: number) => Promise<Answer>): Promise<Answer> {
  try {
    return await read(from);
  } catch (error) {
    return await read(firstKept(error, from));
  }
}

/** @throws the error itself when it is about something else */
function firstKept(error: unknown, from: number): number {
  const first = isHoldfastError(error, "OUTPUT_TRIMMED") ? error.details["firstOffset"] : undefined;
  if (typeof first !== "number" || first <= from) throw error;
  return first;
}

function cutAt(event: LiveOutput, end: number): LiveOutput {
  if (event.kind !== "data" || event.offset + event.bytes.length <= end) return event;
  return { ...event, bytes: event.bytes.subarray(0, end - event.offset) };
}

function nextOf(event: LiveOutput, from: number): number {
  if (event.kind === "data") return event.offset + event.bytes.length;
  return event.kind === "missing" ? event.to : from;
}
