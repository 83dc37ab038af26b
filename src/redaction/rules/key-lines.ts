// The lines of a private key, read as they come. Each is judged by what it looks like; the first that cannot be one ends
// the key, and stays.
import { characterSet } from "../pattern/parse-pattern.ts";
import type { TextEnd } from "../scan/rule.ts";
import type { VisibleText } from "../scan/visible-text.ts";

/** A body in one line is taken in pieces of this length. */
const longestLine = 1_024;
/** Behind the beginning: enough to see whether a body follows in the same line. */
const longestFirstLine = 128;
/** So that the end mark is found whole, also where a piece would split it. */
const longestEndMark = 128;
/** A line of a body has 64 characters or more, but for the last; shorter ones occur in indented files. */
const leastOfFullLine = 32;
/** Lines of keys have 64, 70 or 76 characters; those of hashes have fewer. */
const leastOfBareLine = 60;
/** What may stand beside a line of the body: a time, a file name with a line number, quotes. */
const mostBeside = 100;
const leastOfBody = 8;
const mostHeaders = 10;
const mostEmptyLines = 3;

const endMark = /-{4,5} ?END [A-Z0-9 ]{1,60} ?-{4,5}|Private-MAC: [0-9a-f]{1,128}/;
const letterSet = characterSet("[A-Za-z0-9+/=]");
/** A newline, or one written out as in JSON. */
const lineBreak = /\r?\n|\\{1,2}r\\{1,2}n|\\{1,2}n/;
const nothing = /^[\s"'`+,;\\|>]*$/;
const header = /^[\s"'`]*[A-Za-z][A-Za-z-]{1,30}: /;
const onlyBody = /^[\s"'`|>]*([A-Za-z0-9+/=]+)[\s"'`+,;\\]*$/;
const begunBody = /^.{0,100}[A-Za-z0-9+/=]{8,}\s*$/;
/** Behind the last line of a PGP key. */
const checksum = /^\s*=[A-Za-z0-9+/]{4}\s*$/;
/** Longer than words: a body in one line may have spaces for its line breaks. */
const bodyRuns = /[A-Za-z0-9+/=]{24,}/g;

type LineKind = "nothing" | "header" | "full" | "short" | "other";

export class KeyLines {
  /** Position behind the last line that belongs to the key. */
  end: number;
  isOver = false;
  hasBody = false;
  #at: number;
  /** How far the line has been read in vain. */
  #lineRead = 0;
  #isFirst = true;
  #headerCount = 0;
  #emptyCount = 0;
  #hasShortLine = false;
  /** Without a beginning, only lines that are nothing but body are taken for one. */
  #isStrict = false;
  #hasFullLine = false;
  /** Where the body begins in its lines, behind what stands beside it. */
  #column = 0;

  constructor(at: number) {
    this.#at = at;
    this.end = at;
  }

  /** For a text that began inside what may be a key: `at` is behind the rest of its first line. */
  static after(at: number, isKeyLine: boolean): KeyLines {
    const lines = new KeyLines(at);
    lines.hasBody = true;
    lines.#isStrict = true;
    lines.#hasFullLine = isKeyLine;
    return lines;
  }

  read(text: VisibleText, end: TextEnd): void {
    while (!this.isOver) {
      const limit = this.#at + this.#longestLine + longestEndMark;
      // Letters alone bring no news: a line goes on.
      this.#lineRead = text.findOutside(
        letterSet,
        Math.max(this.#lineRead, this.#at),
        Math.min(text.end, limit),
      );
      if (this.#lineRead === text.end && text.end < limit && end === "open") return;
      if (this.#readLine(text, end)) continue;
      this.#lineRead = text.end;
      return;
    }
  }

  get #longestLine(): number {
    return this.#isFirst ? longestFirstLine : longestLine;
  }

  /** False when the line is not read far enough. */
  #readLine(text: VisibleText, end: TextEnd): boolean {
    const longest = this.#longestLine;
    const ahead = text.slice(this.#at, this.#at + longest + longestEndMark);
    const lineEnd = lineBreak.exec(ahead);
    const line = lineEnd === null ? ahead : ahead.slice(0, lineEnd.index);
    const mark = endMark.exec(line);
    if (mark !== null) {
      const markEnd = this.#at + mark.index + mark[0].length;
      // It may be longer than what is there of it.
      if (end === "open" && markEnd === text.end) return false;
      this.#takeMark(line.slice(0, mark.index), markEnd);
    } else if (lineEnd !== null) {
      this.#take(line, lineEnd[0].length);
    } else if (ahead.length === longest + longestEndMark) {
      this.#take(ahead.slice(0, longest), 0);
    } else {
      if (end !== "open") this.#takeLast(ahead, end);
      return false;
    }
    return true;
  }

  /** Only behind a body: without one there is nothing to hide. */
  #takeMark(before: string, markEnd: number): void {
    const kind = this.#kindOf(before);
    if (kind === "full" || kind === "short") this.hasBody = true;
    if (this.hasBody) this.end = markEnd;
    this.isOver = true;
  }

  #take(line: string, breakLength: number): void {
    const kind = this.#kindOf(line);
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const isBehindLast = this.#hasShortLine && kind !== "nothing" && !checksum.test(line);
    const isStray = isFirst && (kind === "short" || (this.#isStrict && kind !== "nothing"));
    if (kind === "other" || isStray || isBehindLast) {
      this.isOver = true;
      return;
    }
    if (kind === "nothing") this.#emptyCount += 1;
    if (kind === "header") this.#headerCount += 1;
    if (kind === "full" || kind === "short") this.hasBody = true;
    if (kind !== "nothing") this.end = this.#at + line.length;
    this.#hasShortLine ||= kind === "short";
    this.#hasFullLine ||= kind === "full";
    this.isOver = this.#emptyCount > mostEmptyLines || this.#headerCount > mostHeaders;
    this.#at += line.length + breakLength;
  }

  /** The text ends inside a line: as much of it as can be a line of the body belongs to the key. */
  #takeLast(line: string, end: TextEnd): void {
    const kind = this.#kindOf(line);
    // Where more would follow, a word may be the beginning of a body behind a line number.
    const isBegun = end === "cut" && !this.#isFirst && begunBody.test(line);
    if (kind === "full" || kind === "short" || isBegun) {
      this.hasBody = true;
      this.end = this.#at + line.length;
    }
    this.isOver = true;
  }

  #kindOf(line: string): LineKind {
    if (nothing.test(line)) return "nothing";
    if (this.#isStrict) {
      const length = onlyBody.exec(line)?.[1]?.length ?? 0;
      return length >= leastOfBareLine ? "full" : length > 0 && this.#hasFullLine ? "short" : "other";
    }
    if (!this.hasBody && !this.#isFirst && header.test(line)) return "header";
    let bodyLength = 0;
    for (const { 0: run, index } of line.matchAll(bodyRuns)) {
      if (bodyLength === 0) this.#column = index;
      bodyLength += run.length;
    }
    if (bodyLength >= leastOfFullLine && line.length - bodyLength <= mostBeside) return "full";
    const body = onlyBody.exec(line) ?? onlyBody.exec(line.slice(this.#column));
    return (body?.[1]?.length ?? 0) >= (this.hasBody ? 1 : leastOfBody) ? "short" : "other";
  }
}
