// The verb `output`: any part of what a process wrote, in the form the caller wants, and always the next cursor.
import type { OutputInput, OutputOutput } from "../../protocol/output.ts";
import type { ProcessState } from "../../protocol/process.ts";
import { keptEnd, lineOffset, storedExtent, tailOffset, tailStart, type StoredExtent } from "./find-lines.ts";
import { firstKept, firstKeptBy } from "./first-kept.ts";
import { readPage, type Page, type PageRequest } from "./read-page.ts";
import { renderPieces, renderText } from "./render-output.ts";

export interface OutputSource {
  readonly id: string;
  readonly directory: string;
  readonly state: ProcessState;
  /** Wall clock of the start, for the times of pieces. */
  readonly startedAtMs: number;
  /** Nothing can be written any more. */
  readonly isClosed: boolean;
}

// Output that moves on faster than it can be read is no reason to look for its beginning for ever.
const mostTries = 8;

/** @throws HoldfastError OUTPUT_TRIMMED (details.firstOffset) when what is asked for by its place is not kept */
export async function readOutput(source: OutputSource, input: OutputInput): Promise<OutputOutput> {
  const hasPlace = [input.from, input.line, input.before].some((place) => place !== undefined);
  for (let tries = 1; ; tries += 1) {
    try {
      return await new OutputReader(source, input, await storedExtent(source.directory)).read();
    } catch (error) {
      // The place was ours, and was dropped before we came to read it.
      if (hasPlace || tries === mostTries || firstKeptBy(error) === undefined) throw error;
    }
  }
}

class OutputReader {
  readonly #source: OutputSource;
  readonly #input: OutputInput;
  /** Everything is read within what was there at one moment, however fast the output moves on. */
  readonly #extent: StoredExtent;

  constructor(source: OutputSource, input: OutputInput, extent: StoredExtent) {
    this.#source = source;
    this.#input = input;
    this.#extent = extent;
  }

  async read(): Promise<OutputOutput> {
    const { head, tail, limitBytes, limitLines, before = Infinity } = this.#input;
    if (head !== undefined && tail !== undefined) return await this.#headAndTail(head, tail);
    const to = Math.min(before, this.#extent.end);
    const from = await this.#start(to);
    return await this.#tell(from, to, { bytes: limitBytes, lines: limitLines });
  }

  async #start(to: number): Promise<number> {
    const { from, line, tailBytes, tailLines, stream } = this.#input;
    const { directory } = this.#source;
    if (from !== undefined) return from;
    if (line !== undefined) return await lineOffset(directory, line, stream);
    // Of what is kept: a tail must not fail because it reaches into a dropped part.
    const end = keptEnd(this.#extent, to);
    if (tailBytes !== undefined) return await tailStart(directory, { bytes: tailBytes, end, stream });
    if (tailLines !== undefined) return await tailOffset(directory, { count: tailLines, end, stream });
    return this.#extent.kept[0]?.from ?? (await firstKept(directory));
  }

  async #tell(from: number, to: number, limits: Limits): Promise<OutputOutput> {
    const { pieces, format } = this.#input;
    const page = await this.#page(from, to, limits);
    const content = pieces
      ? { pieces: renderPieces(page.parts, this.#source.startedAtMs, format) }
      : { text: renderText(page.parts, format) };
    return this.#answer(content, { from, next: page.next, omitted: [...page.missing] });
  }

  async #headAndTail(head: number, tail: number): Promise<OutputOutput> {
    const { stream, format } = this.#input;
    const { kept, end } = this.#extent;
    const from = await this.#start(end);
    const stretch = kept.find((range) => range.from <= from && from < range.to);
    if (stretch === undefined || (stretch.to >= end && end - from <= head + tail))
      return await this.#tell(from, end, { bytes: head + tail });
    const found = await tailStart(this.#source.directory, { bytes: tail, end, stream });
    const tailFrom = Math.max(from, found);
    const first = await this.#page(from, Math.min(stretch.to, tailFrom), { bytes: head });
    const last = await this.#page(tailFrom, end, { bytes: tail });
    const left = { from: first.next, to: tailFrom, why: "middle" as const };
    const isWhole = left.from >= left.to;
    const marker = isWhole
      ? ""
      : `\n[… ${left.to - left.from} bytes left out: offsets ${left.from} to ${left.to} …]\n`;
    const text = renderText(first.parts, format) + marker + renderText(last.parts, format);
    return this.#answer(
      { text },
      { from, next: last.next, omitted: [...(isWhole ? [] : [left]), ...last.missing] },
    );
  }

  async #page(from: number, to: number, { bytes, lines }: Limits): Promise<Page> {
    const { stream, format } = this.#input;
    const limits = { bytes, lines, stream };
    return await readPage({
      directory: this.#source.directory,
      from,
      to,
      limits,
      format,
      after: this.#after(to),
    });
  }

  #after(to: number): PageRequest["after"] {
    if (to < this.#extent.end) return "stored";
    return this.#source.isClosed ? "nothing" : "coming";
  }

  #answer(
    content: Pick<OutputOutput, "text" | "pieces">,
    place: Pick<OutputOutput, "from" | "next" | "omitted">,
  ): OutputOutput {
    const { id, state, isClosed } = this.#source;
    const { kept, end } = this.#extent;
    return { id, state, ...content, ...place, end, complete: isClosed && place.next >= end, kept };
  }
}

interface Limits {
  readonly bytes: number;
  readonly lines?: number | undefined;
}
