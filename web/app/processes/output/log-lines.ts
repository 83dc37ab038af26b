// Bytes of a log as lines. A log is cut into pages at fixed offsets, so that any part of it can be read alone; the rules here give a page
// the same lines wherever one came from. A line belongs to the page in which it begins.

export interface LogPart {
  readonly offset: number;
  readonly atMs: number;
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
}

export interface LogLine {
  /** Of its first byte in the whole log. */
  readonly offset: number;
  /** Behind its last byte and the newline, if it has one. */
  readonly to: number;
  readonly atMs: number;
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

export const pageBytes = 65_536;
/** How far behind the end of its page the last line may go. */
export const overhangBytes = 8_192;
/** Longer lines are shown in pieces of this size: a browser takes seconds to lay out one of megabytes. */
export const mostLineBytes = 4_096;

const newline = 0x0a;
const escape = 0x1b;

/** Contiguous bytes with the time and stream of each part. */
export class LogBytes {
  readonly from: number;
  readonly bytes: Uint8Array;
  readonly #parts: readonly LogPart[];

  /** The parts follow each other without a hole. */
  constructor(from: number, parts: readonly LogPart[]) {
    this.from = from;
    this.#parts = parts;
    const length = parts.reduce((sum, part) => sum + part.bytes.length, 0);
    this.bytes = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      this.bytes.set(part.bytes, at);
      at += part.bytes.length;
    }
  }

  get to(): number {
    return this.from + this.bytes.length;
  }

  byteAt(offset: number): number | undefined {
    return this.bytes[offset - this.from];
  }

  /** Offset of the first newline in [from, to); undefined when there is none. */
  newlineIn(from: number, to: number): number | undefined {
    const found = this.bytes.indexOf(newline, Math.max(0, from - this.from));
    return found >= 0 && this.from + found < to ? this.from + found : undefined;
  }

  /** Stretches of one stream and time, from an offset on. */
  *runs(from: number, to: number): Generator<LogPart> {
    for (const part of this.#parts) {
      const begin = Math.max(part.offset, from);
      const end = Math.min(part.offset + part.bytes.length, to);
      if (begin < end)
        yield { ...part, offset: begin, bytes: this.bytes.subarray(begin - this.from, end - this.from) };
    }
  }
}

/** Where the lines of a page that begins at `offset` begin: there, or behind the end of the line of the page before. */
export function lineStartAt(log: LogBytes, offset: number): number {
  if (offset <= log.from || log.byteAt(offset - 1) === newline) return offset;
  const end = log.newlineIn(offset, offset + overhangBytes);
  return end === undefined ? offset : end + 1;
}

/** The lines of the page [from, to); the log may end inside it. `isFirst`: nothing is kept before it. */
export function linesOfPage(
  log: LogBytes,
  page: { readonly from: number; readonly to: number; readonly isFirst: boolean },
): LogLine[] {
  const begin = page.isFirst ? page.from : lineStartAt(log, page.from);
  const end = Math.min(log.to, lineStartAt(log, page.to));
  const decoder = new TextDecoder();
  const lines: LogLine[] = [];
  for (const stretch of stretchesOf(log.runs(begin, end))) {
    let run = 0;
    for (let offset = stretch.from; offset < stretch.to;) {
      while ((stretch.runs[run + 1]?.offset ?? Number.POSITIVE_INFINITY) <= offset) run += 1;
      const stop = log.newlineIn(offset, stretch.to);
      const whole = stop ?? stretch.to;
      const cut = whole - offset > mostLineBytes ? offset + safeCut(log, offset, mostLineBytes) : whole;
      const text = decoder.decode(log.bytes.subarray(offset - log.from, cut - log.from));
      const to = cut === whole && stop !== undefined ? stop + 1 : cut;
      lines.push({ offset, to, atMs: stretch.runs[run]?.atMs ?? 0, stream: stretch.stream, text });
      offset = to;
    }
  }
  return lines;
}

interface Stretch {
  readonly from: number;
  to: number;
  readonly stream: LogPart["stream"];
  readonly runs: LogPart[];
}

/** What one stream wrote before the other one spoke: a line never goes on behind that. */
function stretchesOf(runs: Iterable<LogPart>): Stretch[] {
  const stretches: Stretch[] = [];
  for (const run of runs) {
    const to = run.offset + run.bytes.length;
    const last = stretches.at(-1);
    if (last?.stream === run.stream) {
      last.to = to;
      last.runs.push(run);
    } else stretches.push({ from: run.offset, to, stream: run.stream, runs: [run] });
  }
  return stretches;
}

/** A length up to `most` that splits neither a character nor an escape sequence. */
function safeCut(log: LogBytes, offset: number, most: number): number {
  let length = most;
  while (length > most - 4 && ((log.byteAt(offset + length) ?? 0) & 0xc0) === 0x80) length -= 1;
  for (let back = 1; back <= 32 && back < length; back += 1) {
    const byte = log.byteAt(offset + length - back);
    if (byte !== escape) continue;
    const sequence = log.bytes.subarray(offset + length - back - log.from, offset + length - log.from);
    // Not finished by a letter: it goes into the next piece, whole.
    if (!sequence.slice(2).some((each) => each >= 0x40 && each <= 0x7e)) return length - back;
    break;
  }
  return length;
}
