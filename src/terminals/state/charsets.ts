// Character sets by the letter that selects them. xterm keeps them as tables, one for each.
import xterm from "@xterm/headless";
import { coreOf, type Charset, type Core } from "../emulator/xterm-internals.ts";

const letters = "0A45RQKYE6ZH7=";
const unitedStates = "B";
const places = ["(", ")", "*", "+"];
// SI, SO, and the two that have sequences of their own.
const shifts = ["\u000f", "\u000e", "\u001bn", "\u001bo"];

let known: Map<Charset, string> | undefined;

function knownCharsets(): Map<Charset, string> {
  if (known !== undefined) return known;
  known = new Map();
  const terminal = new xterm.Terminal({ cols: 2, rows: 1, logLevel: "off" });
  const core = coreOf(terminal);
  for (const letter of letters) {
    core.input.parse(Buffer.from(`\u001b(${letter}`));
    known.set(core.charsetService.charset, letter);
  }
  terminal.dispose();
  return known;
}

function select(place: number, charset: Charset): string {
  const letter = charset === undefined ? unitedStates : (knownCharsets().get(charset) ?? unitedStates);
  return `\u001b${places[place]}${letter}`;
}

/** Makes a set the one in force, in the first place, on an emulator that has no other. */
export function useCharset(charset: Charset): string {
  return charset === undefined ? "" : select(0, charset);
}

/** All four, and which of them is in force. */
export function charsetsOf(core: Core): string {
  const { glevel, _charsets: charsets } = core.charsetService;
  const selected = [0, 1, 2, 3].filter((place) => place === 0 || charsets[place] !== undefined);
  return selected.map((place) => select(place, charsets[place])).join("") + (shifts[glevel] ?? "");
}
