// Finds lines in stored output. Runs in a thread of its own: see run-search.ts.
import { readStoredOutput } from "../../keeper/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { SearchInput, SearchMatch, SearchOutput } from "../../protocol/search.ts";
import { firstKept } from "../output/first-kept.ts";
import { placeOf } from "../output/plain-places.ts";
import { plainText } from "../output/plain-text.ts";
import { compilePattern } from "../watch/check-patterns.ts";
import { byteIndexOf } from "./byte-index.ts";
import { LineSplitter, offsetIn, type FoundLine } from "./line-splitter.ts";

export type SearchRequest = Omit<SearchInput, "id"> & {
  readonly directory: string;
  /** Wall clock of the start, for the times of lines. */
  readonly startedAtMs: number;
};
export type SearchResult = Omit<SearchOutput, "id">;

// Told of a line: more would say no more.
const mostToldCharacters = 2_000;
const newline = 0x0a;
// Most lines have nothing that a terminal would obey: they are what they are.
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

class Matches {
  readonly #request: SearchRequest;
  /** Index of what matches; undefined when nothing does. */
  readonly #find: (line: string) => number | undefined;
  readonly #found: SearchMatch[] = [];
  #before: string[] = [];
  #next: number | undefined;

  constructor(request: SearchRequest) {
    this.#request = request;
    const pattern = compilePattern(request.regex);
    this.#find = (line) => {
      const matcher = pattern.matcher(line);
      return matcher.find() ? matcher.start() : undefined;
    };
  }

  /** True when enough is known. */
  get isFull(): boolean {
    if (this.#next === undefined) return false;
    const last = this.#found.at(-1);
    return last === undefined || last.after.length >= this.#request.context;
  }

  add(found: FoundLine): void {
    const { offset, timeUs } = found;
    const text = found.bytes.toString("utf8");
    const isPlain = !obeyed.test(text);
    const line = isPlain ? text : plainText(text).replace(/\n$/, "");
    const told = line.length > mostToldCharacters ? `${line.slice(0, mostToldCharacters)}…` : line;
    const { context, limit, from, startedAtMs } = this.#request;
    if (context > 0) {
      for (const match of this.#found.slice(-context - 1))
        if (match.after.length < context) match.after.push(told);
    }
    const index = offset >= from ? this.#find(line) : undefined;
    if (index !== undefined && this.#found.length < limit) {
      const at = new Date(startedAtMs + timeUs / 1_000).toISOString();
      const written = isPlain ? index : placeOf(text, index);
      const matchOffset = offsetIn(found, byteIndexOf(found.bytes, written));
      this.#found.push({ offset, matchOffset, at, line: told, before: [...this.#before], after: [] });
    } else if (index !== undefined) this.#next ??= offset;
    if (context > 0) this.#before = [...this.#before, told].slice(-context);
  }

  /** Nothing behind this was looked at. */
  stopAt(offset: number): void {
    this.#next ??= offset;
  }

  result(): Pick<SearchResult, "matches" | "next"> {
    return { matches: this.#found, next: this.#next ?? null };
  }
}

/** @throws HoldfastError INVALID_ARGUMENT */
export async function searchLines(request: SearchRequest): Promise<SearchResult> {
  const { directory, context, timeMs } = request;
  // Lines around a match may lie behind the time: then all of them are looked at.
  const deadline =
    performance.now() + (context === 0 && timeMs !== undefined ? timeMs : Number.POSITIVE_INFINITY);
  const matches = new Matches(request);
  const lines = new LineSplitter((line) => matches.add(line));
  const omitted: { from: number; to: number; why: "dropped" | "gap" }[] = [];
  const first = await firstKept(directory);
  if (first > 0) omitted.push({ from: 0, to: first, why: "dropped" });
  const from = context === 0 && (await beginsLine(directory, request.from)) ? request.from : first;
  let stream: string = "stdout";
  let timeUs = 0;
  for await (const event of readStoredOutput(directory, { from, marks: true })) {
    if (event.kind === "mark" && (event.mark === "stdout" || event.mark === "stderr"))
      ({ mark: stream, timeUs } = event);
    if (event.kind === "missing") omitted.push({ from: event.from, to: event.to, why: event.why });
    if (event.kind !== "data" || (request.stream !== "both" && request.stream !== stream)) continue;
    lines.push(event.bytes, event.offset, timeUs);
    if (performance.now() > deadline) matches.stopAt(lines.next);
    if (matches.isFull) break;
  }
  if (!matches.isFull) lines.end();
  return { ...matches.result(), omitted };
}

/** Whoever goes on begins at a line, and what is before it need not be read again. Elsewhere only the beginning tells where lines begin. */
async function beginsLine(directory: string, offset: number): Promise<boolean> {
  if (offset === 0) return false;
  try {
    for await (const event of readStoredOutput(directory, { from: offset - 1 }))
      if (event.kind === "data") return event.bytes[0] === newline;
  } catch (error) {
    if (!isHoldfastError(error, "OUTPUT_TRIMMED")) throw error;
  }
  return false;
}
