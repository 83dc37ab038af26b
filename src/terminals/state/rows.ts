// The rows of a buffer as a stream that draws them again on an empty one, from its first cell: every cell, and which rows go on from the
// row before. Erased cells stay erased, so that a later change of the width finds the same lines.
import type { Cell, Core, Line, ScreenBuffer } from "../emulator/xterm-internals.ts";
import { isOnlyBackground, linkOf, sgrOf, urlOf } from "./attributes.ts";
import { savedCursorOf } from "./saved-cursor.ts";

const plain = "\u001b[m";
// Two columns wide: wraps early where one column is left.
const wideBlank = "\u3000";
// From here on characters may join the one before them.
const firstJoining = 0x300;
// How xterm keeps a cell: its code, whether it is more than one, and its width.
const cellSize = 3;
const codeMask = 0x1f_ff_ff;
const oneColumn = 1 << 22;
const extendedFlag = 0x10_00_00_00;

export class RowWriter {
  readonly #core: Core;
  readonly #buffer: ScreenBuffer;
  readonly #columns: number;
  readonly #rows: number;
  readonly #cell: Cell;
  readonly #parts: string[] = [];
  /** Colours and link in force. */
  #fg = 0;
  #bg = 0;
  #ext: unknown = undefined;
  #url = 0;
  #mayJoin = false;
  /** A row of the whole buffer: when the screen grows, it may come back from above. */
  readonly #savedRow: number;
  readonly #saved: string;

  constructor(core: Core, buffer: ScreenBuffer, size: { columns: number; rows: number; cell: Cell }) {
    this.#core = core;
    this.#buffer = buffer;
    this.#columns = size.columns;
    this.#rows = size.rows;
    this.#cell = size.cell;
    this.#savedRow = Math.min(buffer.savedY, buffer.lines.length - 1);
    this.#saved = savedCursorOf(buffer, size.columns);
  }

  write(): string {
    const { lines } = this.#buffer;
    for (let row = 0; row < lines.length; row++) {
      const line = lines.get(row);
      if (line === undefined) continue;
      // Asked beyond its end, the list begins again.
      const next = row + 1 < lines.length ? lines.get(row + 1) : undefined;
      if (row === this.#savedRow) this.#parts.push(this.#saved);
      this.#cells(line, this.#lastColumn(line, next));
      if (next === undefined) break;
      if (next.isWrapped) this.#wrap(line, next);
      else {
        this.#reset();
        this.#parts.push("\r\n");
      }
    }
    this.#reset();
    return this.#parts.join("");
  }

  /** Where a wide character did not fit, its wrapping leaves the last cell as it was. */
  #lastColumn(line: Line, next: Line | undefined): number {
    const isEarly = next?.isWrapped === true && next.getWidth(0) === 2 && isBlank(line, this.#columns - 1);
    return isEarly ? this.#columns - 1 : this.#columns;
  }

  #cells(line: Line, end: number): void {
    let cursor = 0;
    for (let column = 0; column < end;) {
      const simple = simpleRun(line, column, end);
      if (simple > column) {
        this.#move(cursor, column);
        this.#style(line.loadCell(column, this.#cell));
        this.#printSimple(line, column, simple);
        cursor = column = simple;
        continue;
      }
      const cell = line.loadCell(column, this.#cell);
      const width = cell.getWidth();
      const chars = cell.getChars();
      if (isErased(cell)) {
        const count = erasedRun(line, column, end);
        if (cell.bg !== 0) {
          this.#move(cursor, column);
          cursor = column;
          this.#style(cell);
          this.#control(`\u001b[${count}X`);
        }
        column += count;
        continue;
      }
      this.#move(cursor, column);
      this.#style(cell);
      this.#print(chars === "" ? " " : chars);
      column += Math.max(width, 1);
      cursor = column;
    }
    if (end < this.#columns) this.#move(cursor, end);
  }

  #wrap(line: Line, next: Line): void {
    const last = this.#columns - 1;
    if (this.#lastColumn(line, next) === last) {
      // As it came about: a wide character that wraps, in the colours that it left in the cell before.
      this.#style(line.loadCell(last, this.#cell));
      this.#parts.push(wideBlank);
      this.#reset();
      this.#parts.push(`\r\u001b[${this.#columns}X`);
    } else if (isErased(line.loadCell(last, this.#cell))) {
      // Something must stand there to wrap, and is erased again.
      this.#reset();
      this.#parts.push(`\u001b[${this.#columns}G  \r\u001b[X`);
      if (this.#rows > 1) this.#eraseBefore(line, last);
    } else {
      this.#reset();
      this.#parts.push(" \r\u001b[X");
    }
  }

  #eraseBefore(line: Line, column: number): void {
    this.#parts.push(`\u001b[A\u001b[${column + 1}G`);
    this.#style(line.loadCell(column, this.#cell));
    this.#parts.push("\u001b[X");
    this.#reset();
    this.#parts.push("\u001b[B\r");
  }

  #move(from: number, to: number): void {
    if (from !== to) this.#control(`\u001b[${to + 1}G`);
  }

  #style(cell: Cell): void {
    const url = urlOf(cell);
    if (url !== this.#url) this.#control(linkOf(this.#core, url));
    this.#url = url;
    const ext = (cell.bg & extendedFlag) === 0 ? undefined : cell.extended;
    if (cell.fg === this.#fg && cell.bg === this.#bg && ext === this.#ext) return;
    this.#control(sgrOf(cell));
    this.#fg = cell.fg;
    this.#bg = cell.bg;
    this.#ext = ext;
  }

  #reset(): void {
    if (this.#url !== 0) this.#parts.push(linkOf(this.#core, 0));
    if (this.#fg !== 0 || this.#bg !== 0) this.#parts.push(plain);
    this.#fg = 0;
    this.#bg = 0;
    this.#ext = undefined;
    this.#url = 0;
    this.#mayJoin = false;
  }

  #control(sequence: string): void {
    this.#parts.push(sequence);
    this.#mayJoin = false;
  }

  #printSimple(line: Line, from: number, to: number): void {
    const { _data: data } = line;
    const codes: number[] = [];
    for (let column = from; column < to; column++) codes.push((data[column * cellSize] ?? 0) & codeMask);
    if (this.#mayJoin) this.#parts.push("\0");
    this.#parts.push(String.fromCharCode(...codes));
    this.#mayJoin = false;
  }

  /** Each cell for itself: characters that stood side by side did not join. */
  #print(chars: string): void {
    const isJoining = (chars.codePointAt(0) ?? 0) >= firstJoining;
    const hasBefore = this.#parts.length > 0;
    if (hasBefore && (isJoining || this.#mayJoin)) this.#parts.push("\0");
    this.#parts.push(chars);
    this.#mayJoin = isJoining || chars.length > 1;
  }
}

/** Where a run of cells ends that have the same colours and characters which join nothing: most of every screen. */
function simpleRun({ _data: data }: Line, from: number, end: number): number {
  const fg = data[from * cellSize + 1];
  const bg = data[from * cellSize + 2] ?? 0;
  if ((bg & extendedFlag) !== 0) return from;
  let at = from;
  for (; at < end; at++) {
    const place = at * cellSize;
    const code = (data[place] ?? 0) - oneColumn;
    if (code < 0x20 || code >= firstJoining || data[place + 1] !== fg || data[place + 2] !== bg) break;
  }
  return at;
}

/** How many cells from an erased one on were erased with the same background. */
function erasedRun({ _data: data }: Line, from: number, end: number): number {
  const bg = data[from * cellSize + 2];
  let at = from + 1;
  for (; at < end; at++) {
    const place = at * cellSize;
    if (data[place] !== oneColumn || data[place + 1] !== 0 || data[place + 2] !== bg) break;
  }
  return at - from;
}

function isBlank(line: Line, column: number): boolean {
  return line.hasContent(column) === 0 && line.getWidth(column) === 1;
}

function isErased(cell: Cell): boolean {
  return cell.getChars() === "" && cell.getWidth() === 1 && isOnlyBackground(cell);
}
