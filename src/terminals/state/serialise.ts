// The whole state of an emulator as a stream: written to one that was reset and has the same size, it makes that one the same, and what the
// program writes next goes on from there.
import type { Terminal } from "@xterm/headless";
import { coreOf, type Cell, type Core, type ScreenBuffer } from "../emulator/xterm-internals.ts";
import { charsetsOf } from "./charsets.ts";
import { cursorOf } from "./cursor.ts";
import { modesOf } from "./modes.ts";
import { RowWriter } from "./rows.ts";
import { otherSavedCursor } from "./saved-cursor.ts";

const tabWidth = 8;

interface Size {
  readonly columns: number;
  readonly rows: number;
  readonly cell: Cell;
}

export function serialise(terminal: Terminal, palette: string): string {
  const core = coreOf(terminal);
  const { normal, alt, active } = core.buffers;
  const cell = terminal.buffer.active.getNullCell() as Cell; // what its cells are, private fields included
  const size = { columns: terminal.cols, rows: terminal.rows, cell };
  const { _windowTitle: title, _iconName: icon } = core.input;
  return [
    palette,
    icon === "" ? "" : `\u001b]1;${icon}\u001b\\`,
    title === "" ? "" : `\u001b]2;${title}\u001b\\`,
    active === normal ? otherSavedCursor(alt, size) : "",
    new RowWriter(core, normal, size).write(),
    settingsOf(normal, size),
    active === alt ? alternate(core, alt, size) : "",
    charsetsInForce(core, active),
    regionOf(active, size),
    modesOf(core),
    core.coreService.decPrivateModes.origin ? "\u001b[?6h" : "",
    cursorOf(core, active, size),
  ].join("");
}

/** Of the normal buffer, while the other is shown: it is found like this when the program comes back. */
function settingsOf(buffer: ScreenBuffer, size: Size): string {
  const region = regionOf(buffer, size);
  const cursor = `\u001b[${buffer.y + 1};${Math.min(buffer.x, size.columns - 1) + 1}H`;
  return tabsOf(buffer, size) + region + cursor;
}

function alternate(core: Core, buffer: ScreenBuffer, size: Size): string {
  const rows = new RowWriter(core, buffer, size).write();
  return `\u001b[?47h\u001b[H${rows}${tabsOf(buffer, size)}`;
}

function tabsOf({ tabs }: ScreenBuffer, { columns }: Size): string {
  const all = Array.from({ length: columns }, (_, column) => column);
  if (all.every((column) => (tabs[column] === true) === (column % tabWidth === 0))) return "";
  const stops = all.filter((column) => tabs[column] === true);
  return `\u001b[3g${stops.map((column) => `\u001b[${column + 1}G\u001bH`).join("")}`;
}

function regionOf({ scrollTop, scrollBottom }: ScreenBuffer, { rows }: Size): string {
  return scrollTop === 0 && scrollBottom === rows - 1 ? "" : `\u001b[${scrollTop + 1};${scrollBottom + 1}r`;
}

/** A restored cursor brings its character set with it, whatever stands in the four places. */
function charsetsInForce(core: Core, active: ScreenBuffer): string {
  const { charset, glevel, _charsets: charsets } = core.charsetService;
  if (charset === charsets[glevel]) return charsetsOf(core);
  return `${charsetsOf(core)}${active.savedCharset === charset ? "\u001b8" : ""}`;
}
