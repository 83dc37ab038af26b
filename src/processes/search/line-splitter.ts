// Lines of bytes as they come, with the offset and the time at which each begins.

export interface FoundLine {
  readonly offset: number;
  /** Of its first bytes, since the start of the process. */
  readonly timeUs: number;
  /** Without its newline. */
  readonly bytes: Buffer;
  /** Where its parts were written: in between another stream may have spoken. */
  readonly parts: readonly LinePart[];
}

interface LinePart {
  /** Index of its first byte in the line. */
  readonly index: number;
  readonly offset: number;
}

/** The offset of a byte of a line. */
export function offsetIn({ offset, parts }: FoundLine, index: number): number {
  const part = parts.findLast((each) => each.index <= index) ?? { index: 0, offset };
  return part.offset + index - part.index;
}

// A program that never ends its line must not fill the memory: such a line is looked at in pieces.
const longestLineBytes = 65_536;

export class LineSplitter {
  readonly #onLine: (line: FoundLine) => void;
  #parts: Buffer[] = [];
  #places: LinePart[] = [];
  #size = 0;
  #offset = 0;
  #timeUs = 0;
  #end = 0;

  constructor(onLine: (line: FoundLine) => void) {
    this.#onLine = onLine;
  }

  push(bytes: Buffer, offset: number, timeUs: number): void {
    let start = 0;
    while (start < bytes.length) {
      if (this.#size === 0) {
        this.#offset = offset + start;
        this.#timeUs = timeUs;
      }
      const newline = bytes.indexOf(0x0a, start);
      const limit = start + longestLineBytes - this.#size;
      const end = Math.min(newline < 0 ? bytes.length : newline, limit);
      this.#parts.push(bytes.subarray(start, end));
      this.#places.push({ index: this.#size, offset: offset + start });
      this.#size += end - start;
      const isWhole = end === newline;
      if (isWhole || this.#size >= longestLineBytes) this.#tell();
      start = isWhole ? end + 1 : end;
    }
    this.#end = offset + bytes.length;
  }

  /** Where the line begins that has not been told yet. */
  get next(): number {
    return this.#size > 0 ? this.#offset : this.#end;
  }

  /** A last line without an end counts too. */
  end(): void {
    if (this.#size > 0) this.#tell();
  }

  #tell(): void {
    const bytes = Buffer.concat(this.#parts);
    const parts = this.#places;
    this.#parts = [];
    this.#places = [];
    this.#size = 0;
    this.#onLine({ offset: this.#offset, timeUs: this.#timeUs, bytes, parts });
  }
}
