// Escape sequences and other parts of a text that a terminal does not show as characters, read at the place where one begins.

export interface HiddenSequence {
  readonly length: number;
  /** What a string sequence holds (a title, a link), from the sequence's first character on: a text of its own. */
  readonly content: { readonly from: number; readonly to: number } | undefined;
}

// Longer than any title or link: an unfinished sequence of this length is garbage, not worth waiting for.
const longestString = 8_192;
const longestSequence = 256;

const escape = 0x1b;
const backslash = 0x5c;
// eslint-disable-next-line no-control-regex -- control characters are what this is about
const stringEnd = /[\u0007\u001b\u009c]/;
/** Behind an escape, or as one character: OSC, DCS, SOS, PM, APC. */
const stringStarts = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f, 0x9d, 0x90, 0x98, 0x9e, 0x9f]);
const controlStart = 0x5b;
const shortControlStart = 0x9b;

const oneCharacter: HiddenSequence = { length: 1, content: undefined };

/** The sequence that begins at `start`. Undefined when it is not finished and may yet be. */
export function readSequence(text: string, start: number): HiddenSequence | undefined {
  const first = text.charCodeAt(start);
  if (first !== escape) {
    if (stringStarts.has(first)) return readString(text, start, start + 1);
    return first === shortControlStart ? readControl(text, start, start + 1) : oneCharacter;
  }
  const second = text.charCodeAt(start + 1);
  if (second === controlStart) return readControl(text, start, start + 2);
  if (stringStarts.has(second)) return second < 0x80 ? readString(text, start, start + 2) : oneCharacter;
  return readShort(text, start);
}

/** Parameters, then intermediates, then one final character. */
function readControl(text: string, start: number, bodyStart: number): HiddenSequence | undefined {
  const limit = Math.min(text.length, start + longestSequence);
  let at = bodyStart;
  while (at < limit && isBetween(text.charCodeAt(at), 0x30, 0x3f)) at += 1;
  while (at < limit && isBetween(text.charCodeAt(at), 0x20, 0x2f)) at += 1;
  return endOf(text, start, at, 0x40);
}

function readShort(text: string, start: number): HiddenSequence | undefined {
  const limit = Math.min(text.length, start + longestSequence);
  let at = start + 1;
  while (at < limit && isBetween(text.charCodeAt(at), 0x20, 0x2f)) at += 1;
  return endOf(text, start, at, 0x30);
}

/** With its final character; without one only the first character is hidden. */
function endOf(text: string, start: number, at: number, leastFinal: number): HiddenSequence | undefined {
  if (at === start + longestSequence) return oneCharacter;
  if (at === text.length) return undefined;
  if (!isBetween(text.charCodeAt(at), leastFinal, 0x7e)) return oneCharacter;
  return { length: at + 1 - start, content: undefined };
}

function readString(text: string, start: number, bodyStart: number): HiddenSequence | undefined {
  const body = text.slice(bodyStart, start + longestString);
  const bodyLength = body.search(stringEnd);
  const end = bodyStart + bodyLength;
  // Not a string after all: what follows is told as text.
  if (bodyLength < 0) return text.length < start + longestString ? undefined : oneCharacter;
  const content = { from: bodyStart - start, to: end - start };
  if (text.charCodeAt(end) !== escape) return { length: end + 1 - start, content };
  if (end + 1 === text.length) return undefined;
  return text.charCodeAt(end + 1) === backslash ? { length: end + 2 - start, content } : oneCharacter;
}

function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
