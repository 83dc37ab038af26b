// Where the characters of a plain line stand in the output it was made from. Only for a line somebody asks about: it is slower than making the line.
import { controls, eraseLine, eraseRight, keepDrawing, sequences } from "./plain-text.ts";

export interface Placed {
  readonly text: string;
  /** Index in the line as it was written. */
  readonly at: number;
}

/** The characters of `plainText(line)`, for one line without its newline; what is blank at its end may be there too. */
export function placesOf(line: string): Placed[] {
  const written = withoutSequences(line);
  if (written.at(-1)?.text === "\r") written.pop();
  const isMoved = written.some(({ text }) => text === "\r" || text === "\b");
  let cells: Placed[] = [];
  let column = 0;
  for (const placed of written) {
    if (placed.text === "\r") column = 0;
    else if (placed.text === "\b") column = Math.max(0, column - 1);
    else if (placed.text === eraseRight) cells.length = Math.min(cells.length, column);
    else if (placed.text === eraseLine) {
      // As plainText does: what is not drawn over stays.
      if (isMoved) cells = cells.map(() => ({ text: " ", at: placed.at }));
    } else {
      cells[column] = placed;
      column += 1;
    }
  }
  return cells.filter(({ text }) => text.search(controls) < 0);
}

function withoutSequences(line: string): Placed[] {
  const written: Placed[] = [];
  const write = (text: string, begin: number): void => {
    let at = begin;
    for (const character of text) {
      written.push({ text: character, at });
      at += character.length;
    }
  };
  let next = 0;
  for (const match of line.matchAll(sequences)) {
    write(line.slice(next, match.index), next);
    const left = keepDrawing(match[0], match[1], match[2]);
    if (left !== "") written.push({ text: left, at: match.index });
    next = match.index + match[0].length;
  }
  write(line.slice(next), next);
  return written;
}

/** Where the character at an index of `plainText(line)` was written; behind the last one: the end of the line. */
export function placeOf(line: string, index: number): number {
  let length = 0;
  for (const { text, at } of placesOf(line)) {
    if (index < length + text.length) return at + index - length;
    length += text.length;
  }
  return line.length;
}
