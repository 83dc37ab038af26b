// Keys by name, as an xterm sends them.
import { HoldfastError } from "../../protocol/errors.ts";
import type { TerminalModes } from "./terminal-modes.ts";

const escape = "\u001b";
// eslint-disable-next-line no-control-regex -- ESC, and CSI in one character
const sequenceStarts = /[\u001b\u009b]/g;

const plainKeys: Readonly<Record<string, string>> = {
  enter: "\r",
  return: "\r",
  tab: "\t",
  escape,
  esc: escape,
  space: " ",
  backspace: "\u007f",
};

// Final letters: ESC [ X, or ESC O X in application cursor mode, or ESC [ 1 ; m X with a modifier.
const letterKeys: Readonly<Record<string, string>> = {
  up: "A",
  down: "B",
  right: "C",
  left: "D",
  home: "H",
  end: "F",
};

// ESC [ n ~, or ESC [ n ; m ~ with a modifier.
const numberKeys: Readonly<Record<string, number>> = {
  insert: 2,
  delete: 3,
  pageup: 5,
  pagedown: 6,
  f5: 15,
  f6: 17,
  f7: 18,
  f8: 19,
  f9: 20,
  f10: 21,
  f11: 23,
  f12: 24,
};
const functionLetters: Readonly<Record<string, string>> = { f1: "P", f2: "Q", f3: "R", f4: "S" };
const modifierBits: Readonly<Record<string, number>> = {
  shift: 1,
  alt: 2,
  meta: 2,
  option: 2,
  ctrl: 4,
  control: 4,
  // As in tmux and Emacs.
  c: 4,
  m: 2,
  s: 1,
};

export const keyNames: readonly string[] = [
  ...Object.keys(plainKeys),
  ...Object.keys(letterKeys),
  ...Object.keys(functionLetters),
  ...Object.keys(numberKeys),
];

function unknownKey(name: string): HoldfastError {
  return new HoldfastError("INVALID_ARGUMENT", `There is no key "${name}".`, {
    hint: `Use a single character or one of ${keyNames.join(", ")}, with ctrl-, alt- or shift- before it.`,
    details: { key: name },
  });
}

function controlCharacter(character: string): string | undefined {
  if (character === " " || character === "@") return "\0";
  if (character === "?") return "\u007f";
  const code = character.toUpperCase().charCodeAt(0);
  return character.length === 1 && code >= 0x41 && code <= 0x5f
    ? String.fromCharCode(code & 0x1f)
    : undefined;
}

/** Only what the table itself has: every object has a `constructor`. */
function ownOf<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function encodeNamed(base: string, modifier: number, modes: TerminalModes): string | undefined {
  const suffix = modifier > 0 ? `;${modifier + 1}` : "";
  const letter = ownOf(letterKeys, base) ?? ownOf(functionLetters, base);
  if (letter !== undefined) {
    if (modifier > 0) return `${escape}[1${suffix}${letter}`;
    return `${escape}${Object.hasOwn(functionLetters, base) || modes.applicationCursor ? "O" : "["}${letter}`;
  }
  const number = ownOf(numberKeys, base);
  return number === undefined ? undefined : `${escape}[${number}${suffix}~`;
}

function encodeCharacter(name: string, base: string, modifier: number): string {
  const isAlt = (modifier & 2) > 0;
  const isCtrl = (modifier & 4) > 0;
  const isShift = (modifier & 1) > 0;
  if (base === "tab" && isShift) return `${escape}[Z`;
  const plain = ownOf(plainKeys, base) ?? (/^.$/su.test(base) ? base : undefined);
  if (plain === undefined) throw unknownKey(name);
  const shifted = isShift ? plain.toUpperCase() : plain;
  const typed = isCtrl ? controlCharacter(shifted) : shifted;
  if (typed === undefined) throw unknownKey(name);
  return isAlt ? escape + typed : typed;
}

/** What the key sends. `ctrl-c`, `Ctrl+C` and `C-c` are the same. @throws HoldfastError INVALID_ARGUMENT */
export function encodeKey(name: string, modes: TerminalModes): string {
  const words = name === "-" || name === "+" ? [name] : name.split(/[-+](?=.)/);
  const base = words.pop() ?? "";
  let modifier = 0;
  for (const word of words) {
    const bit = ownOf(modifierBits, word.toLowerCase());
    if (bit === undefined) throw unknownKey(name);
    modifier |= bit;
  }
  const known = base.length > 1 ? base.toLowerCase().replaceAll(/[_ ]/g, "") : base;
  return encodeNamed(known, modifier, modes) ?? encodeCharacter(name, known, modifier);
}

/** Pasted text: bracketed when the program asked for it, so that it does not take newlines for commands. */
export function encodePaste(text: string, modes: TerminalModes): string {
  if (!modes.bracketedPaste) return text.replaceAll("\n", "\r");
  // With what begins a sequence it could close the bracket itself, however it is put together, and type the rest.
  return `${escape}[200~${text.replaceAll(sequenceStarts, "")}${escape}[201~`;
}
