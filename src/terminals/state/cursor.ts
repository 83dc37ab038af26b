// Where the cursor is, and what it will print with. The last character printed is printed again: what follows may join it, be its
// repetition, or wrap because of it.
import type { Attributes, Cell, Core, Line, ScreenBuffer } from "../emulator/xterm-internals.ts";
import { linkOf, sgrOf, urlOf } from "./attributes.ts";
import { charsetsOf } from "./charsets.ts";

function placeOf(core: Core, buffer: ScreenBuffer, column: number): string {
  const top = core.coreService.decPrivateModes.origin ? buffer.scrollTop : 0;
  return `\u001b[${buffer.y - top + 1};${column + 1}H`;
}

/** Colours and flags, and the link, that come next. */
function styleOf(core: Core, attributes: Attributes): string {
  const url = urlOf(attributes);
  return (url === 0 ? "" : linkOf(core, url)) + sgrOf(attributes, true);
}

/** The last of a state: nothing may come between it and what the program writes next. */
export function cursorOf(core: Core, buffer: ScreenBuffer, options: { columns: number; cell: Cell }): string {
  const { columns, cell } = options;
  const { _curAttrData: current, _parser: parser } = core.input;
  const style = styleOf(core, current);
  const line = buffer.lines.get(buffer.ybase + buffer.y);
  const hasPrinted = parser.precedingJoinState !== 0;
  const isFull = buffer.x >= columns;
  const bare = placeOf(core, buffer, Math.min(buffer.x, columns - 1)) + style;
  if (line === undefined || buffer.x === 0 || (!hasPrinted && !isFull)) return bare;
  const isSecondHalf = line.getWidth(buffer.x - 1) === 0 && line.hasContent(buffer.x - 1) === 0;
  const column = Math.max(0, buffer.x - (isSecondHalf ? 2 : 1));
  line.loadCell(column, cell);
  // A wide character that found no room left the cursor inside another one.
  if (column + Math.max(1, cell.getWidth()) !== buffer.x) return bare;
  const place = placeOf(core, buffer, column) + roomFor(core, cell);
  if (hasPrinted) return place + style + (cell.getChars() || " ");
  const endOfLink = urlOf(cell) === 0 ? "" : linkOf(core, 0);
  return place + fullLine(core, line, cell) + endOfLink + style;
}

/** Printing it again would move what stands after it: its place is taken out first. */
function roomFor(core: Core, cell: Cell): string {
  return core.coreService.modes.insertMode ? `\u001b[${Math.max(1, cell.getWidth())}P` : "";
}

/** The cursor stands behind the last cell, which only printing into that cell can do. */
function fullLine(core: Core, line: Line, cell: Cell): string {
  const chars = cell.getChars();
  const style = styleOf(core, cell);
  if (chars === "") return `${style} ${isErased(line, cell.bg, cell) ? "\u001b[1K" : ""}`;
  // A character set in force would make another character of it.
  const isMapped = core.charsetService.charset !== undefined && chars.length === 1 && chars < "\u007f";
  return isMapped ? `${style}\u000f\u001b(B${chars}${charsetsOf(core)}` : style + chars;
}

function isErased(line: Line, background: number, cell: Cell): boolean {
  for (let column = 0; column < line.length; column++) {
    line.loadCell(column, cell);
    if (cell.getChars() !== "" || cell.fg !== 0 || cell.bg !== background) return false;
  }
  return true;
}
