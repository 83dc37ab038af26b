// Puts the lines of one stream together, whatever chunks they came in and whatever another stream wrote in between.

const newline = 0x0a;
// A line longer than this is looked at in pieces: a program that never ends its line must not fill the memory.
const longestBytes = 65_536;
// Of a piece, what the next one begins with: a match across the cut is found if it is no longer than this.
const overlapBytes = 8_192;

export interface Line {
  /** Absolute offset of its first byte. */
  readonly offset: number;
  /** Without its newline. */
  readonly bytes: Buffer;
  /** How many of the first bytes were the end of the piece before this one. */
  readonly overlapBytes: number;
}

export interface LineSink {
  /** Whole lines that stand next to each other in one chunk, each with its newline. */
  block(bytes: Buffer, offset: number): void;
  /** A line that came in parts; it is over. */
  line(line: Line): void;
  /** A piece of a line that goes on. */
  piece(line: Line): void;
}

interface Part {
  readonly offset: number;
  readonly bytes: Buffer;
}

export class LineAssembler {
  readonly #sink: LineSink;
  #parts: Part[] = [];
  #size = 0;
  #overlap: number;
  /** The first line was begun before: it is told as one that came in parts, even if it comes as a whole now. */
  #isBegun: boolean;

  /** @param begun the first line that comes was looked at before, so many of its bytes as the end of a piece */
  constructor(sink: LineSink, begun?: { readonly overlap: number }) {
    this.#sink = sink;
    this.#isBegun = begun !== undefined;
    this.#overlap = begun?.overlap ?? 0;
  }

  /** Where the unfinished line begins; undefined between lines. */
  get start(): number | undefined {
    return this.#parts[0]?.offset;
  }

  get overlap(): number {
    return this.#overlap;
  }

  push(bytes: Buffer, offset: number): void {
    let at = 0;
    if (this.#parts.length > 0 || this.#isBegun) {
      const end = bytes.indexOf(newline);
      this.#add(end < 0 ? bytes : bytes.subarray(0, end), offset);
      if (end < 0) return;
      this.end();
      at = end + 1;
    }
    const last = bytes.lastIndexOf(newline);
    if (last >= at) {
      this.#sink.block(bytes.subarray(at, last + 1), offset + at);
      at = last + 1;
    }
    if (at < bytes.length) this.#add(bytes.subarray(at), offset + at);
  }

  /** The line as far as it came; undefined between lines. */
  pending(): Line | undefined {
    const [first] = this.#parts;
    if (first === undefined) return undefined;
    const bytes =
      this.#parts.length === 1 ? first.bytes : Buffer.concat(this.#parts.map((part) => part.bytes));
    return { offset: first.offset, bytes, overlapBytes: this.#overlap };
  }

  /** What there is of the line is all of it. */
  end(): void {
    const line = this.pending();
    this.#parts = [];
    this.#size = 0;
    this.#overlap = 0;
    this.#isBegun = false;
    if (line !== undefined) this.#sink.line(line);
  }

  #add(bytes: Buffer, offset: number): void {
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + longestBytes - this.#size);
      // A copy: a prompt of ten bytes must not keep the chunk it came in.
      this.#parts.push({ offset: offset + at, bytes: Buffer.from(part) });
      this.#size += part.length;
      at += part.length;
      if (this.#size >= longestBytes) this.#cut();
    }
  }

  #cut(): void {
    const whole = this.pending();
    if (whole === undefined) return;
    const end = characterBoundary(whole.bytes, whole.bytes.length);
    const keepFrom = characterBoundary(whole.bytes, end - overlapBytes);
    this.#dropFirst(keepFrom);
    this.#overlap = end - keepFrom;
    this.#sink.piece({ ...whole, bytes: whole.bytes.subarray(0, end) });
  }

  #dropFirst(count: number): void {
    let left = count;
    while (left > 0) {
      const [first] = this.#parts;
      if (first === undefined) return;
      if (first.bytes.length > left) {
        this.#parts[0] = { offset: first.offset + left, bytes: first.bytes.subarray(left) };
        break;
      }
      left -= first.bytes.length;
      this.#parts.shift();
    }
    this.#size -= count;
  }
}

/** The last position up to `at` that does not stand inside a UTF-8 character. */
function characterBoundary(bytes: Buffer, at: number): number {
  // Lead bytes are looked for among the last four only: further back there is no character that reaches here.
  for (let start = at - 1; start >= Math.max(0, at - 4); start--) {
    const byte = bytes[start] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return start + length > at ? start : at;
  }
  return at;
}
