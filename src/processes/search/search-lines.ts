// Finds lines in stored output. Runs in a thread of its own: see run-search.ts.
import { readStoredOutput } from "../../keeper/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { SearchInput, SearchMatch, SearchOutput } from "../../protocol/search.ts";
import { plainText } from "../output/plain-text.ts";
import { compilePattern } from "../watch/check-patterns.ts";
import { LineSplitter, type FoundLine } from "./line-splitter.ts";

export type SearchRequest = Omit<SearchInput, "id"> & { readonly directory: string };
export type SearchResult = Omit<SearchOutput, "id">;

// Told of a line: more would say no more.
const mostToldCharacters = 2_000;

class Matches {
  readonly #request: SearchRequest;
  readonly #isMatch: (line: string) => boolean;
  readonly #found: SearchMatch[] = [];
  #before: string[] = [];
  #next: number | undefined;

  constructor(request: SearchRequest) {
    this.#request = request;
    const pattern = compilePattern(request.regex);
    this.#isMatch = (line) => pattern.matcher(line).find();
  }

  /** True when enough is known. */
  get isFull(): boolean {
    if (this.#next === undefined) return false;
    const last = this.#found.at(-1);
    return last === undefined || last.after.length >= this.#request.context;
  }

  add({ offset, bytes }: FoundLine): void {
    const line = plainText(bytes.toString("utf8")).replace(/\n$/, "");
    const told = line.length > mostToldCharacters ? `${line.slice(0, mostToldCharacters)}…` : line;
    const { context, limit, from } = this.#request;
    for (const match of this.#found.slice(-context - 1))
      if (match.after.length < context) match.after.push(told);
    if (offset >= from && this.#isMatch(line)) {
      if (this.#found.length < limit)
        this.#found.push({ offset, line: told, before: [...this.#before], after: [] });
      else this.#next ??= offset;
    }
    if (context > 0) this.#before = [...this.#before, told].slice(-context);
  }

  result(): Pick<SearchResult, "matches" | "next"> {
    return { matches: this.#found, next: this.#next ?? null };
  }
}

/** Read from the beginning of what is kept: only there it is certain where lines begin. @throws HoldfastError INVALID_ARGUMENT */
export async function searchLines(request: SearchRequest): Promise<SearchResult> {
  const matches = new Matches(request);
  const lines = new LineSplitter((line) => matches.add(line));
  const omitted: { from: number; to: number; why: "dropped" | "gap" }[] = [];
  const first = await firstKept(request.directory);
  if (first > 0) omitted.push({ from: 0, to: first, why: "dropped" });
  let stream: string = "stdout";
  for await (const event of readStoredOutput(request.directory, { from: first, marks: true })) {
    if (event.kind === "mark" && (event.mark === "stdout" || event.mark === "stderr")) stream = event.mark;
    if (event.kind === "missing") omitted.push({ from: event.from, to: event.to, why: event.why });
    if (event.kind !== "data" || (request.stream !== "both" && request.stream !== stream)) continue;
    lines.push(event.bytes, event.offset);
    if (matches.isFull) break;
  }
  if (!matches.isFull) lines.end();
  return { ...matches.result(), omitted };
}

async function firstKept(directory: string): Promise<number> {
  try {
    for await (const { kind } of readStoredOutput(directory, { from: 0 })) if (kind !== "mark") break;
    return 0;
  } catch (error) {
    const first = isHoldfastError(error, "OUTPUT_TRIMMED") ? error.details["firstOffset"] : undefined;
    if (typeof first !== "number") throw error;
    return first;
  }
}
