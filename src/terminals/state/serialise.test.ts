import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import xterm from "@xterm/headless";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { EscapeScanner } from "../../util/escape-scanner.ts";
import { guard } from "../emulator/guard.ts";
import {
  coreOf,
  type Attributes,
  type Cell,
  type Core,
  type ScreenBuffer,
} from "../emulator/xterm-internals.ts";
import { serialise } from "./serialise.ts";

const scrollback = 12;

function newTerminal(columns: number, rows: number): xterm.Terminal {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback,
    allowProposedApi: true,
    logLevel: "off",
  });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  guard(terminal, () => undefined);
  return terminal;
}

function feed(terminal: xterm.Terminal, bytes: Uint8Array): void {
  coreOf(terminal).input.parse(bytes);
}

const number = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 30 }), fc.constant(999));
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.string({ minLength: 1, maxLength: 12 }).map((s) => s.replaceAll(/[^ -~]/g, "")),
  },
  fc.constantFrom("日本", "ｶﾅ", "e\u0301", "🇩🇪", "👨‍👩‍👧", "\u0301", "ä", "─", "각", "\u0600a", "🇩"),
);
const csi = fc
  .tuple(fc.constantFrom(..."ABCDEFGHIJKLMPSTXZ@`abdefgJKHrmm".split("")), fc.array(number, { maxLength: 3 }))
  .map(([final, numbers]) => `\u001b[${numbers.join(";")}${final}`);
const sgr = fc
  .array(
    fc.constantFrom(
      ..."0 1 2 3 4 4:3 21 5 7 8 9 22 23 24 25 27 28 29 31 42 93 104 39 49 53 55 59".split(" "),
      ..."38;5;200 48;5;3 38;2;1;2;3 48:2::9:8:7 58:2::4:5:6 58;5;9".split(" "),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((codes) => `\u001b[${codes.join(";")}m`);
const modes = fc
  .tuple(
    fc.constantFrom(
      ..."1 6 7 9 12 25 45 47 66 1000 1002 1003 1004 1006 1016 1047 1048 1049 2004 2026".split(" "),
    ),
    fc.constantFrom("h", "l"),
  )
  .map(([mode, final]) => `\u001b[?${mode}${final}`);
const others = fc.constantFrom(
  ..."\r|\n|\r\n|\b|\t|\u000b|\u000e|\u000f|\u0085|\u009b1m".split("|"),
  ..."7|8|D|M|E|H|c|#8|(0|)0|(B|*A|n|=|>".split("|").map((rest) => `\u001b${rest}`),
  ..."!p|4h|4l|20h|20l|3 q|0 q|1\"q|0\"q|?1K|3J|'}|'~|2 @|1 A|s|u".split("|").map((rest) => `\u001b[${rest}`),
  ..."0;title|1;icon|8;;http://a/|8;id=x;http://b/|8;;".split("|").map((rest) => `\u001b]${rest}\u001b\\`),
  "\u001b]2;rung\u0007",
);
const restores = new Set(["\u001b8", "\u001b[u", "\u001b[?1048l", "\u001b[?1049l", "\u001b[!p"]);
const line = text.map((s) => `${s}\r\n`);
const stream = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: text },
      { weight: 4, arbitrary: line },
      { weight: 4, arbitrary: csi },
      { weight: 3, arbitrary: sgr },
      { weight: 2, arbitrary: modes },
      { weight: 4, arbitrary: others },
    ),
    { maxLength: 60 },
  )
  // xterm forgets half of a link when a cursor is restored; no state can tell that half.
  .map((parts) => {
    const hasLink = parts.some((part) => part.startsWith("\u001b]8"));
    return hasLink ? parts.filter((part) => !restores.has(part)) : parts;
  })
  .map((parts) => Buffer.from(parts.join("")));

/** Everything that can be seen, or that decides what comes of the next bytes. */
function facts(terminal: xterm.Terminal): unknown {
  const core = coreOf(terminal);
  const { normal, alt, active } = core.buffers;
  const { coreService, coreMouseService, input, charsetService } = core;
  const { _curAttrData: current, _windowTitle: title, _iconName: icon, _parser: parser } = input;
  const { charset, glevel, _charsets: charsets } = charsetService;
  return {
    active: active === alt ? "alternate" : "normal",
    normal: bufferFacts(core, terminal, normal, active === normal),
    alt: active === alt ? bufferFacts(core, terminal, alt, true) : savedFacts(alt, terminal),
    modes: coreService.decPrivateModes,
    insert: coreService.modes.insertMode,
    hidden: coreService.isCursorHidden,
    mouse: [coreMouseService.activeProtocol, coreMouseService.activeEncoding],
    eol: core.optionsService.rawOptions.convertEol,
    attributes: [attributeFacts(core, current), colorFacts(current.extended.underlineColor)],
    title,
    icon,
    join: joinFacts(parser.precedingJoinState),
    charset,
    glevel,
    charsets: [0, 1, 2, 3].map((place) => charsets[place]),
  };
}

/** What of it decides: the kind of the character, and its width. */
function joinFacts(state: number): unknown {
  return state === 0 ? 0 : [(state >> 3) & 15, (state >> 1) & 3];
}

function bufferFacts(core: Core, terminal: xterm.Terminal, buffer: ScreenBuffer, isActive: boolean): unknown {
  const cell = terminal.buffer.active.getNullCell() as Cell;
  const rows = Array.from({ length: buffer.lines.length }, (_line, row) => {
    const found = buffer.lines.get(row);
    if (found === undefined) return undefined;
    const cells = Array.from({ length: found.length }, (_cell, column) =>
      cellFacts(core, found.loadCell(column, cell)),
    );
    return `${row > 0 && found.isWrapped ? "~" : "|"}${cells.join("")}`;
  });
  const { x, y, ybase, scrollTop, scrollBottom, tabs } = buffer;
  const stops = Array.from({ length: terminal.cols }, (_, column) => (tabs[column] === true ? 1 : 0)).join(
    "",
  );
  const place = isActive ? [x, y] : [-1, y];
  return {
    rows,
    place,
    ybase,
    region: [scrollTop, scrollBottom],
    stops,
    saved: savedFacts(buffer, terminal),
  };
}

function savedFacts(buffer: ScreenBuffer, { rows, cols }: xterm.Terminal): unknown {
  const { savedX, savedY, savedCurAttrData: saved, savedCharset, ybase } = buffer;
  const row = Math.min(Math.max(savedY - ybase, 0), rows - 1);
  return [
    Math.min(savedX, cols - 1),
    row,
    colorFacts(saved.fg),
    colorFacts(saved.bg & ~0x10_00_00_00),
    savedCharset,
  ];
}

function cellFacts(core: Core, cell: Cell): string {
  const attributes = attributeFacts(core, cell);
  const isErased = cell.getChars() === "" && cell.fg === 0 && (cell.bg & 0xfc_00_00_00) === 0;
  // A half of a character that is gone shows as a blank.
  const chars = isErased ? "" : cell.getChars() || (cell.getWidth() === 0 ? "" : " ");
  const isPlain = attributes === "0,0,,";
  return isPlain && chars.length < 2 ? chars || "_" : `[${chars}:${cell.getWidth()}:${attributes}]`;
}

/** A colour of the palette leaves the rest of an earlier one behind, unused. */
function colorFacts(value: number): number {
  const mode = value & 0x3_00_00_00;
  const isPalette = mode === 0x1_00_00_00 || mode === 0x2_00_00_00;
  return (isPalette ? value & ~0xff_ff_00 : value) >>> 0;
}

function attributeFacts(core: Core, { fg, bg, extended }: Attributes): string {
  const hasExtended = (bg & 0x10_00_00_00) !== 0;
  const own = extended.clone();
  own.urlId = 0;
  // A link is forgotten with the lines it was on; what is left of it is a number.
  const link = hasExtended ? core.linkService.getLinkData(extended.urlId) : undefined;
  // A screen of E's has the flag without a style: a single line.
  const style = (fg & 0x10_00_00_00) === 0 ? own.underlineStyle : own.underlineStyle || 1;
  const underline = hasExtended && style > 0 ? `${style}/${colorFacts(own.underlineColor)}` : "";
  const target = link === undefined ? "" : `${link.id ?? ""}@${link.uri}`;
  return `${colorFacts(fg)},${colorFacts(bg & ~0x10_00_00_00)},${underline},${target}`;
}

/** Where a state may be told: between sequences. */
function cutsOf(bytes: Uint8Array): number[] {
  const cuts: number[] = [0];
  const ignore = (): void => undefined;
  const scanner = new EscapeScanner(
    { controlSequence: ignore, string: ignore, escapeSequence: ignore, bell: ignore, overlong: ignore },
    { longestBytes: 4_096 },
  );
  let open = 0;
  for (let end = 1; end <= bytes.length; end++) {
    const done = open + scanner.scan(bytes.subarray(open, end));
    if (done > open) cuts.push(done);
    open = done;
  }
  return cuts;
}

/** The cursor waits behind a cell that was erased under it: only a blank in that cell can tell so. */
function erasedEnd(terminal: xterm.Terminal): boolean {
  const { active } = coreOf(terminal).buffers;
  if (active.x < terminal.cols) return false;
  const found = active.lines.get(active.ybase + active.y);
  return found?.hasContent(active.x - 1) === 0 && found.getWidth(active.x - 1) === 1;
}

/** One blank is like another. */
function blanksAlike(seen: string): string {
  return seen
    .replaceAll("_", " ")
    .replaceAll(/\[ ?:1:0,0,,\]/g, " ")
    .replaceAll("[ :", "[:");
}

/** Without what xterm itself loses with a size: a link with its lines; a tab stop, or a saved cursor, behind the last column. */
function shape(seen: string): string {
  return seen
    .replaceAll(/"(?:stops|saved|alt)": (?:"[^"]*"|\[[^\]]*\]),?/g, "")
    .replaceAll(/x?@http:\/\/[ab]\//g, "")
    .replaceAll(/\[(.?):\d:0,0,,\]/g, (_whole, chars: string) => chars || "_");
}

function see(terminal: xterm.Terminal): string {
  return JSON.stringify(facts(terminal), undefined, 1);
}

test("state and the rest of the stream make the same terminal as the whole stream", () => {
  fc.assert(
    fc.property(
      stream,
      fc.integer({ min: 2, max: 20 }),
      fc.integer({ min: 2, max: 8 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.tuple(fc.integer({ min: 2, max: 20 }), fc.integer({ min: 2, max: 8 })),
      (bytes, columns, rows, where, later) => {
        const cuts = cutsOf(bytes);
        const cut = cuts[Math.min(cuts.length - 1, Math.floor(where * cuts.length))] ?? 0;
        const whole = newTerminal(columns, rows);
        const again = newTerminal(columns, rows);
        try {
          feed(whole, bytes.subarray(0, cut));
          feed(again, Buffer.from(serialise(whole, "")));
          const isErased = erasedEnd(whole);
          const view = (terminal: xterm.Terminal) => (isErased ? blanksAlike(see(terminal)) : see(terminal));
          expect(view(again), "at the cut").toEqual(view(whole));
          feed(whole, bytes.subarray(cut));
          feed(again, bytes.subarray(cut));
          expect(view(again), "at the end").toEqual(view(whole));
          whole.resize(...later);
          again.resize(...later);
          expect(shape(view(again)), "in another size").toEqual(shape(view(whole)));
        } finally {
          whole.dispose();
          again.dispose();
        }
      },
    ),
    { numRuns: 200 },
  );
});
