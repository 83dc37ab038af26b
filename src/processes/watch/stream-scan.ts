// Looks for all patterns in the lines of one stream; each line counts once for each watch, however it came.
import { plainText } from "../output/plain-text.ts";
import { LineAssembler, type Line, type LineSink } from "./line-assembler.ts";
import { PatternSet, type Pattern } from "./pattern-set.ts";
import type { ScanPlace } from "./scan-state.ts";

export type StreamName = "stdout" | "stderr";

export interface LineWatch {
  readonly id: string;
  readonly pattern: Pattern;
  readonly stream: StreamName | "both";
  /** Only lines that begin here or later. */
  readonly from: number;
}

export interface StreamScanOptions {
  readonly stream: StreamName;
  /** Those of other streams are passed over. */
  readonly watches: readonly LineWatch[];
  /** Only lines that begin before this; another scan looks at the others. */
  readonly until: number;
  readonly place: ScanPlace;
  readonly onMatch: (found: {
    offset: number;
    stream: StreamName;
    line: string;
    watches: readonly string[];
  }) => void;
}

// What plainText changes: everything below space but tab and newline, and the C1 range.
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const needsDrawing = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** A line as a person would have seen it. */
export function drawnLine(text: string): string {
  return needsDrawing.test(text) ? plainText(text) : text;
}

export class StreamScan {
  readonly #options: StreamScanOptions;
  readonly #watches: readonly LineWatch[];
  readonly #patterns: PatternSet;
  /** Before this no line concerns anybody. */
  readonly #leastFrom: number;
  /** From here on every line concerns every watch. */
  readonly #greatestFrom: number;
  readonly #assembler: LineAssembler;
  #counted: Set<string>;
  #before: Set<string>;
  /** A program that repeats itself costs little. */
  #last: { readonly line: string; readonly watches: readonly string[] } = { line: "", watches: [] };

  constructor(options: StreamScanOptions) {
    this.#options = options;
    const { watches, stream, place } = options;
    this.#watches = watches.filter((watch) => watch.stream === "both" || watch.stream === stream);
    this.#patterns = new PatternSet(this.#watches.map((watch) => watch.pattern));
    this.#leastFrom = Math.min(...this.#watches.map((watch) => watch.from));
    this.#greatestFrom = Math.max(...this.#watches.map((watch) => watch.from));
    const isBegun = place.overlap > 0 || place.counted.length > 0 || place.before.length > 0;
    this.#assembler = new LineAssembler(this.#newSink(), isBegun ? place : undefined);
    this.#counted = new Set(place.counted);
    this.#before = new Set(place.before);
  }

  /** Where its unfinished line begins; undefined between lines. */
  get start(): number | undefined {
    return this.#assembler.start;
  }

  /** @param position up to where the output has been read */
  place(position: number): ScanPlace {
    return {
      at: this.#assembler.start ?? position,
      overlap: this.#assembler.overlap,
      counted: [...this.#counted],
      before: [...this.#before],
    };
  }

  push(bytes: Buffer, offset: number): void {
    this.#assembler.push(bytes, offset);
  }

  /** Looks at an unfinished line as it stands: a prompt has no newline. */
  look(): void {
    const line = this.#assembler.pending();
    if (line !== undefined) for (const watch of this.#test(line)) this.#counted.add(watch);
  }

  /** The line ends here, with or without a newline. */
  end(): void {
    this.#assembler.end();
    this.#forgetLine();
  }

  #newSink(): LineSink {
    return {
      block: (bytes, offset) => this.#block(bytes, offset),
      line: (line) => {
        this.#test(line);
        this.#forgetLine();
      },
      piece: (line) => {
        const matched = this.#test(line);
        this.#before = new Set([...matched, ...this.#counted]);
        this.#counted = new Set();
      },
    };
  }

  #forgetLine(): void {
    this.#counted.clear();
    this.#before.clear();
  }

  #block(bytes: Buffer, offset: number): void {
    if (offset + bytes.length <= this.#leastFrom) return;
    const text = bytes.toString();
    const isDrawn = needsDrawing.test(text);
    if (!isDrawn && !this.#patterns.mayMatch(text)) return;
    // As many characters as bytes: then a position in one is the same position in the other.
    const isByteWise = text.length === bytes.length;
    for (let start = 0; start < bytes.length;) {
      const end = isByteWise ? text.indexOf("\n", start) : bytes.indexOf(0x0a, start);
      const written = isByteWise ? text.slice(start, end) : bytes.toString("utf8", start, end);
      const line = isDrawn ? drawnLine(written) : written;
      this.#tell(offset + start, line, this.#find(line, offset + start));
      start = end + 1;
    }
  }

  /** The watches it newly counts for. */
  #test({ offset, bytes, overlapBytes }: Line): readonly string[] {
    if (offset < this.#leastFrom || bytes.length <= overlapBytes) return [];
    const line = drawnLine(bytes.toString());
    const matched = this.#find(line, offset).filter((watch) => !this.#counted.has(watch));
    const isOld = matched.some((watch) => this.#before.has(watch));
    // What stood in the piece before is not counted again; what is new in this one is.
    const fresh = isOld ? this.#find(drawnLine(bytes.toString("utf8", overlapBytes)), offset) : [];
    const counting = matched.filter((watch) => !this.#before.has(watch) || fresh.includes(watch));
    this.#tell(offset, line, counting);
    return counting;
  }

  /** The watches that a line beginning there is a match for. */
  #find(line: string, offset: number): readonly string[] {
    if (line !== this.#last.line) this.#last = { line, watches: this.#match(line) };
    const { watches } = this.#last;
    if (watches.length === 0 || offset >= this.#options.until) return [];
    if (offset >= this.#greatestFrom) return watches;
    return watches.filter((id) => this.#watches.some((watch) => watch.id === id && offset >= watch.from));
  }

  #match(line: string): readonly string[] {
    if (line === "") return [];
    return this.#patterns.match(line).map((index) => this.#watches[index]?.id ?? "");
  }

  #tell(offset: number, line: string, watches: readonly string[]): void {
    if (watches.length === 0) return;
    this.#options.onMatch({ offset, stream: this.#options.stream, line, watches });
  }
}
