// What a session remembers of its commands: changes, not a whole environment. So a variable that a caller passed to one command, or that
// a policy withholds, is decided anew for each; and the caller's own changes (a new agent socket) are seen.

import { isUtf8 } from "node:buffer";

/** Values as bytes, one character each (latin1): a variable need not be text. */
export type ByteText = string;

export interface RememberedVariables {
  readonly set: ReadonlyMap<string, ByteText>;
  readonly unset: ReadonlySet<string>;
}

export const nothingRemembered: RememberedVariables = { set: new Map(), unset: new Set() };

export function toBytes(text: string): ByteText {
  return Buffer.from(text).toString("latin1");
}

/** Undefined for bytes that are no text. */
export function toText(value: ByteText): string | undefined {
  const bytes = Buffer.from(value, "latin1");
  return isUtf8(bytes) ? bytes.toString() : undefined;
}

// Of one shell, not of the session. OLDPWD is kept: `cd -` works across commands.
const ofOneShell = /^(_|PWD|SHLVL|HOLDFAST_RUN|HOLDFAST_SOFT_NOFILE|HOLDFAST_PRELUDE_.*|COLUMNS|LINES)$/;
// What a shell can have: its variables, and functions that bash exports.
const isShellName = /^(?:[A-Za-z_][A-Za-z0-9_]*|BASH_FUNC_[^=]+%%)$/;
const isIdentifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

function isRemembered(name: string): boolean {
  return isShellName.test(name) && !ofOneShell.test(name);
}

export interface CommandVariables {
  readonly before: RememberedVariables;
  /** As the command got them. */
  readonly start: ReadonlyMap<string, ByteText>;
  /** As its shell had them at the end. */
  readonly end: ReadonlyMap<string, ByteText>;
}

/** What is remembered after a command: only what it did itself, on top of what was remembered when it began. */
export function remember({ before, start, end }: CommandVariables): RememberedVariables {
  const set = new Map(before.set);
  const unset = new Set(before.unset);
  for (const [name, value] of end) {
    if (!isRemembered(name) || start.get(name) === value) continue;
    set.set(name, value);
    unset.delete(name);
  }
  for (const name of start.keys()) {
    // A name the shell cannot have is dropped by it, not by the command.
    if (!isRemembered(name) || !isIdentifier.test(name) || end.has(name)) continue;
    set.delete(name);
    unset.add(name);
  }
  return { set, unset };
}

/** The variables of the next command, without what its caller decides for it alone. */
export function recall(
  base: ReadonlyMap<string, ByteText>,
  { set, unset }: RememberedVariables,
  decided: ReadonlySet<string>,
): Map<string, ByteText> {
  const variables = new Map(base);
  for (const [name, value] of set) if (!decided.has(name)) variables.set(name, value);
  for (const name of unset) if (!decided.has(name)) variables.delete(name);
  return variables;
}

export function sizeOf({ set }: RememberedVariables): number {
  let bytes = 0;
  for (const [name, value] of set) bytes += name.length + value.length + 2;
  return bytes;
}
