// The verb `output`: any part of what a process wrote, in the form the caller wants, and always the next cursor.
import type { OutputInput, OutputOutput, OutputPiece } from "../../protocol/output.ts";
import type { ProcessState } from "../../protocol/process.ts";
import { safeLength } from "./byte-boundaries.ts";
import { contiguousStart, keptRanges, lineOffset, ofStream, outputEnd, tailOffset } from "./find-lines.ts";
import { plainText } from "./plain-text.ts";
import { readRange, type OutputPart, type OutputRange } from "./read-range.ts";

export interface OutputSource {
  readonly id: string;
  readonly directory: string;
  readonly state: ProcessState;
  /** Wall clock of the start, for the times of pieces. */
  readonly startedAtMs: number;
  /** Nothing can be written any more. */
  readonly isClosed: boolean;
}

const newline = 0x0a;

async function startOffset(source: OutputSource, input: OutputInput, end: number): Promise<number> {
  if (input.from !== undefined) return input.from;
  if (input.line !== undefined) return await lineOffset(source.directory, input.line, input.stream);
  if (input.tailBytes !== undefined) return await firstKept(source, Math.max(0, end - input.tailBytes));
  if (input.tailLines !== undefined) {
    return await tailOffset(source.directory, { count: input.tailLines, end, stream: input.stream });
  }
  return 0;
}

/** A tail must not fail because it reaches into the dropped part: it begins after it. */
async function firstKept(source: OutputSource, offset: number): Promise<number> {
  return Math.max(offset, await contiguousStart(source.directory, await outputEnd(source.directory)));
}

/** Cuts the range so that no character and no escape is split, unless the output itself ends there. */
function cutSafely(
  range: OutputRange,
  limit: { readonly to: number; readonly lines: number | undefined; readonly stream: OutputInput["stream"] },
): OutputPart[] {
  const kept: OutputPart[] = [];
  let lines = 0;
  for (const [index, part] of range.parts.entries()) {
    const isLast = index === range.parts.length - 1;
    let length =
      isLast && range.next < range.end ? safeLength(part.bytes, part.bytes.length) : part.bytes.length;
    if (limit.lines !== undefined && ofStream(part, limit.stream)) {
      for (
        let at = part.bytes.indexOf(newline);
        at >= 0 && at < length;
        at = part.bytes.indexOf(newline, at + 1)
      ) {
        lines += 1;
        if (lines === limit.lines) length = at + 1;
      }
    }
    if (length > 0) kept.push({ ...part, bytes: part.bytes.subarray(0, length) });
    if (length < part.bytes.length || lines === limit.lines) break;
  }
  return kept;
}

function render(parts: readonly OutputPart[], format: OutputInput["format"]): string {
  const bytes = Buffer.concat(parts.map((part) => part.bytes));
  if (format === "raw") return bytes.toString("base64");
  const text = bytes.toString("utf8");
  return format === "plain" ? plainText(text) : text;
}

function renderPieces(
  parts: readonly OutputPart[],
  source: OutputSource,
  format: OutputInput["format"],
): OutputPiece[] {
  return parts.map((part) => ({
    offset: part.offset,
    at: new Date(source.startedAtMs + part.timeUs / 1000).toISOString(),
    stream: part.stream,
    text: render([part], format),
  }));
}

async function headAndTail(
  source: OutputSource,
  input: OutputInput,
  sizes: { readonly head: number; readonly tail: number },
): Promise<OutputOutput | undefined> {
  const end = await outputEnd(source.directory);
  const from = input.from ?? 0;
  if (end - from <= sizes.head + sizes.tail) return undefined; // it fits as it is
  const head = await readRange(source.directory, { from, to: end, mostBytes: sizes.head });
  const headParts = cutSafely({ ...head, end }, { to: end, lines: undefined, stream: input.stream });
  const tailFrom = await firstKept(source, end - sizes.tail);
  const tail = await readRange(source.directory, { from: tailFrom, to: end, mostBytes: sizes.tail });
  const last = headParts.at(-1);
  const omitted = {
    from: last === undefined ? from : last.offset + last.bytes.length,
    to: tailFrom,
    why: "middle" as const,
  };
  const isWanted = (part: OutputPart): boolean => ofStream(part, input.stream);
  const text = [
    render(headParts.filter(isWanted), input.format),
    `\n[… ${omitted.to - omitted.from} bytes left out: offsets ${omitted.from} to ${omitted.to} …]\n`,
    render(tail.parts.filter(isWanted), input.format),
  ].join("");
  return {
    id: source.id,
    state: source.state,
    text,
    from,
    next: end,
    end,
    complete: source.isClosed,
    kept: await keptRanges(source.directory),
    omitted: [omitted],
  };
}

/** @throws HoldfastError OUTPUT_TRIMMED (details.firstOffset) */
export async function readOutput(source: OutputSource, input: OutputInput): Promise<OutputOutput> {
  if (input.head !== undefined && input.tail !== undefined) {
    const told = await headAndTail(source, input, { head: input.head, tail: input.tail });
    if (told !== undefined) return told;
  }
  // Looked at first: what is read below is then among what is told to be kept, however fast the output moves on.
  const kept = await keptRanges(source.directory);
  const storedEnd = await outputEnd(source.directory);
  const end = Math.min(input.before ?? Number.MAX_SAFE_INTEGER, storedEnd);
  const from = await startOffset(source, input, end);
  const range = await readRange(source.directory, { from, to: end, mostBytes: input.limitBytes });
  const parts = cutSafely({ ...range, end }, { to: end, lines: input.limitLines, stream: input.stream });
  const last = parts.at(-1);
  const isCut = last !== undefined && last.offset + last.bytes.length < range.next;
  const next = isCut
    ? last.offset + last.bytes.length
    : parts.length === 0 && range.parts.length > 0
      ? from
      : range.next;
  const told = parts.filter((part) => ofStream(part, input.stream));
  return {
    id: source.id,
    state: source.state,
    ...(input.pieces
      ? { pieces: renderPieces(told, source, input.format) }
      : { text: render(told, input.format) }),
    from,
    next,
    end: storedEnd,
    complete: source.isClosed && next >= storedEnd,
    kept,
    omitted: range.missing
      .filter((hole) => hole.from < next)
      .map((hole) => ({ from: hole.from, to: hole.to, why: hole.why })),
  };
}
