// What a program writes to a terminal, as lines of styled text. Colours and the like are kept; a line that was drawn over itself is shown
// as it ended; everything else a terminal would obey is dropped. The result is text, never markup.
import { applySgr, plainStyle, type TextStyle } from "~/processes/output/sgr.ts";

export interface StyledText {
  readonly text: string;
  readonly style: TextStyle;
}

export interface StyledLine {
  readonly spans: readonly StyledText[];
  /** In force behind the line. */
  readonly style: TextStyle;
}

const tabColumns = 8;
// A program may ask for column 99999: nothing that is worth seeing is further out than this.
const mostColumns = 8_192;

// CSI with its parameters and final byte; strings (OSC, DCS, SOS, PM, APC) up to their end; short sequences; 8-bit forms too.
const sequences =
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~]?)|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u001b[ -/]*[0-~]?/g;
// eslint-disable-next-line no-control-regex -- as above
const dropped = /[\u0000-\u0007\u000a-\u000c\u000e-\u001f\u007f-\u009f]/g;
// They turn the direction of reading around: shown by their number, so that a line reads as it was written.
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
// eslint-disable-next-line no-control-regex -- as above
const needsDrawing = /[\b\r]|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@CDGKPX`]/;
const needsReading = /[^\u0020-\u007e]/;

/** One line, without the newline that ends it. */
export function readLine(line: string, style: TextStyle): StyledLine {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (!needsReading.test(text)) return { spans: text === "" ? [] : [{ text, style }], style };
  return needsDrawing.test(text) ? drawLine(text, style) : appendLine(text, style);
}

/** Calls back for every stretch of text and every CSI sequence, in order. */
function walk(
  line: string,
  onText: (text: string) => void,
  onControl: (parameters: string, final: string) => void,
): void {
  let at = 0;
  for (const match of line.matchAll(sequences)) {
    if (match.index > at) onText(line.slice(at, match.index));
    if (match[2] !== undefined) onControl(match[1] ?? "", match[2]);
    at = match.index + match[0].length;
  }
  if (at < line.length) onText(line.slice(at));
}

function visible(text: string): string {
  return text
    .replace(dropped, "")
    .replace(turning, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function appendLine(line: string, begin: TextStyle): StyledLine {
  const spans: StyledText[] = [];
  let style = begin;
  let column = 0;
  walk(
    line,
    (raw) => {
      const text = visible(raw).replace(/[^\t]*\t/g, (part) => {
        const width = part.length - 1;
        const blanks = tabColumns - ((column + width) % tabColumns);
        column += width + blanks;
        return part.slice(0, -1) + " ".repeat(blanks);
      });
      column = (column + text.length) % tabColumns;
      if (text !== "") spans.push({ text, style });
    },
    (parameters, final) => {
      if (final === "m") style = applySgr(style, parameters);
    },
  );
  return { spans, style };
}

interface Cell {
  readonly text: string;
  readonly style: TextStyle;
}

/** Character by character, with a cursor: for lines that move it. */
class LineCanvas {
  readonly #cells: Cell[] = [];
  #column = 0;

  write(text: string, style: TextStyle): void {
    for (const character of text) {
      if (character === "\r") this.#column = 0;
      else if (character === "\b") this.#column = Math.max(0, this.#column - 1);
      else if (character === "\t") this.move(tabColumns - (this.#column % tabColumns));
      else this.#put({ text: character, style });
    }
  }

  #put(cell: Cell): void {
    if (this.#column >= mostColumns) return;
    while (this.#cells.length < this.#column) this.#cells.push({ text: " ", style: plainStyle });
    this.#cells[this.#column] = cell;
    this.#column += 1;
  }

  move(by: number): void {
    this.#column = Math.min(mostColumns, Math.max(0, this.#column + by));
  }

  control(parameters: string, final: string): void {
    const given = Number.parseInt(parameters, 10);
    const count = Math.min(mostColumns, Math.max(1, Number.isNaN(given) ? 1 : given));
    if (final === "C") this.move(count);
    else if (final === "D") this.move(-count);
    else if (final === "G" || final === "`") this.#column = count - 1;
    else if (final === "K") this.#erase(Number.isNaN(given) ? 0 : given);
    else if (final === "P") this.#cells.splice(this.#column, count);
    else if (final === "X") this.#blank(this.#column, this.#column + count);
    else if (final === "@") this.#insert(count);
  }

  #insert(count: number): void {
    if (this.#column > this.#cells.length) return;
    const room = Math.max(0, mostColumns - this.#cells.length);
    this.#cells.splice(this.#column, 0, ...Array.from({ length: Math.min(count, room) }, () => blank));
  }

  #erase(which: number): void {
    if (which === 0) this.#cells.length = Math.min(this.#cells.length, this.#column);
    else this.#blank(0, which === 1 ? this.#column + 1 : this.#cells.length);
  }

  #blank(from: number, to: number): void {
    for (let at = from; at < Math.min(to, this.#cells.length); at += 1) this.#cells[at] = blank;
  }

  spans(): StyledText[] {
    const spans: { text: string; style: TextStyle }[] = [];
    for (const { text, style } of this.#cells) {
      const last = spans.at(-1);
      if (last?.style === style) last.text += text;
      else spans.push({ text, style });
    }
    return spans;
  }
}

const blank: Cell = { text: " ", style: plainStyle };

function drawLine(line: string, begin: TextStyle): StyledLine {
  const canvas = new LineCanvas();
  let style = begin;
  walk(
    line,
    (text) => canvas.write(visible(text), style),
    (parameters, final) => {
      if (final === "m") style = applySgr(style, parameters);
      else canvas.control(parameters, final);
    },
  );
  return { spans: canvas.spans(), style };
}
