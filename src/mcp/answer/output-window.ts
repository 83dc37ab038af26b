// A part of the output that fits the budget: its beginning and its end, with what is left out between them told by offsets.
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import type { Operations, OperationOutput } from "../../protocol/operations.ts";
import { quoteLines } from "../../protocol/quoted-text.ts";
import { charactersPerToken } from "./tool-answer.ts";

type Read = OperationOutput<"process.output">;

export interface OutputWindow {
  /** Every line of the process is marked, in structured content too: our remarks stand between them, and cannot be forged. */
  readonly text: string;
  readonly from: number;
  /** The cursor to go on from. */
  readonly next: number;
  readonly end: number;
  readonly omitted: readonly { readonly from: number; readonly to: number }[];
}

export interface WindowRequest {
  readonly id: string;
  readonly from: number;
  readonly budgetTokens: number;
  readonly signal: AbortSignal;
}

// For everything in an answer that is not output.
const frameTokens = 250;
// The end of an output usually says more than its beginning.
const headShare = 0.35;
// Quoting makes short lines longer, JSON doubles its escapes: smaller windows are tried until both forms fit.
const shrink = 0.8;

export function outputCharacters(budgetTokens: number): number {
  return Math.max(400, (budgetTokens - frameTokens) * charactersPerToken);
}

interface Part {
  readonly text: string;
  readonly from: number;
  readonly next: number;
}

function skipText(from: number, to: number, why: string): string {
  return `[${to - from} bytes ${why}: offsets ${from} to ${to}]`;
}

/** What retention dropped cannot be read: reading begins behind it. */
async function readFrom(
  operations: Operations,
  input: {
    readonly id: string;
    readonly from: number;
    readonly before?: number;
    readonly limitBytes: number;
  },
  signal: AbortSignal,
): Promise<Read> {
  try {
    return await operations.call("process.output", input, { signal });
  } catch (error) {
    const first = isHoldfastError(error, "OUTPUT_TRIMMED") ? error.details["firstOffset"] : undefined;
    if (typeof first !== "number" || first <= input.from) throw error;
    if (input.before !== undefined && first >= input.before) throw error;
    return await operations.call("process.output", { ...input, from: first }, { signal });
  }
}

async function readParts(
  operations: Operations,
  { id, from, signal }: WindowRequest,
  mostBytes: number,
): Promise<{ parts: Part[]; end: number; next: number }> {
  const whole = await readFrom(operations, { id, from, limitBytes: mostBytes }, signal);
  const { end } = whole;
  // What is unfinished at the end of a running process waits for its rest: then everything was read, too.
  if (whole.next >= end || end - whole.from <= mostBytes)
    return { parts: [partOf(whole)], end, next: whole.next };
  const headBytes = Math.max(1, Math.floor(mostBytes * headShare));
  const head = await readFrom(operations, { id, from, limitBytes: headBytes }, signal);
  const tailFrom = Math.max(head.next, end - (mostBytes - headBytes));
  const tail = await readFrom(operations, { id, from: tailFrom, before: end, limitBytes: mostBytes }, signal);
  return { parts: [partOf(head), partOf(tail)], end, next: tail.next };
}

function partOf({ text = "", from, next }: Read): Part {
  return { text, from, next };
}

function render(from: number, parts: readonly Part[]): string {
  const lines: string[] = [];
  let at = from;
  for (const [index, part] of parts.entries()) {
    if (part.from > at) lines.push(skipText(at, part.from, index === 0 ? "are no longer kept" : "left out"));
    if (part.text !== "") lines.push(quoteLines(part.text));
    at = part.next;
  }
  return lines.join("\n");
}

function gapsOf(from: number, parts: readonly Part[]): { from: number; to: number }[] {
  let at = from;
  return parts.flatMap((part) => {
    const gap = part.from > at ? [{ from: at, to: part.from }] : [];
    at = part.next;
    return gap;
  });
}

/** @throws HoldfastError PROCESS_NOT_FOUND, OUTPUT_TRIMMED when nothing of it is kept */
export async function readWindow(operations: Operations, request: WindowRequest): Promise<OutputWindow> {
  const most = outputCharacters(request.budgetTokens);
  for (let bytes = Math.min(most, 1_000_000); bytes >= 16; bytes = Math.floor(bytes * shrink)) {
    const { parts, end, next } = await readParts(operations, request, bytes);
    const text = render(request.from, parts);
    if (JSON.stringify(text).length > most) continue;
    return { text, from: request.from, next, end, omitted: gapsOf(request.from, parts) };
  }
  throw new HoldfastError("INTERNAL", "The budget of tokens is too small for any output.");
}
