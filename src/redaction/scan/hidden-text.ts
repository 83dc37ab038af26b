// What a terminal does not show as characters: escape sequences, control characters, carriage returns inside a line. It is
// taken out before rules look, because a colour inside a token, or the return with which a shell breaks a long line, does
// not make two words of it.
import { readSequence, type HiddenSequence } from "./hidden-sequence.ts";

/** Something that is not text: its place in the text, and the position in the visible text at which it stood. */
export interface HiddenPart {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly content: HiddenSequence["content"];
}

export interface SplitText {
  readonly visible: string;
  readonly hidden: readonly HiddenPart[];
  /** The end of the text, of which nobody can say yet what it is. */
  readonly rest: string;
}

/** First and last code of what is not text: control characters but NUL, tab, newline and return; C1; what has no width. */
export const hiddenRanges: readonly (readonly [number, number])[] = [
  [0x01, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0xfeff, 0xfeff],
];
const carriageReturn = 0x0d;
const newline = 0x0a;
const space = 0x20;

/** By code: 1 for what is not text, and for returns, which may be. */
const needsLook = new Uint8Array(65_536);
for (const [first, last] of hiddenRanges) needsLook.fill(1, first, last + 1);
needsLook[carriageReturn] = 1;

/** Length of the end of a text that may become part of what is hidden: a space before a return, a return before a newline. */
export function uncertainEnd(text: string): number {
  if (text.endsWith(" \r")) return 2;
  return text.endsWith(" ") || text.endsWith("\r") ? 1 : 0;
}

/** Length of the text without returns at its end, which are hidden: no newline follows what is certain. */
export function lengthBeforeReturn(text: string): number {
  let length = text.length;
  while (text.charCodeAt(length - 1) === carriageReturn)
    length -= text.charCodeAt(length - 2) === space ? 2 : 1;
  return length;
}

/** Splits the text from `from` on; positions count from `base` on. */
export function splitText(text: string, from: number, base: number): SplitText {
  const pieces: string[] = [];
  const hidden: HiddenPart[] = [];
  let visibleFrom = from;
  let at = base;
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (needsLook[code] !== 1) continue;
    let start = index;
    let sequence: HiddenSequence | undefined;
    if (code === carriageReturn) {
      if (text.charCodeAt(index + 1) === newline) continue;
      if (index > visibleFrom && text.charCodeAt(index - 1) === space) start -= 1;
      sequence = { length: index + 1 - start, content: undefined };
    } else {
      sequence = readSequence(text, index);
    }
    at += start - visibleFrom;
    pieces.push(text.slice(visibleFrom, start));
    if (sequence === undefined) return { visible: pieces.join(""), hidden, rest: text.slice(start) };
    visibleFrom = start + sequence.length;
    hidden.push({ at, from: start, to: visibleFrom, content: sequence.content });
    index = visibleFrom - 1;
  }
  pieces.push(text.slice(visibleFrom));
  return { visible: pieces.join(""), hidden, rest: "" };
}
