// The text of a configuration file, as something that can be asked for one entry and changed in that entry alone: every byte that
// is not the entry's stays.
import type { Entry } from "../agent.ts";

export interface ConfigText {
  /** What stands at these keys; undefined: nothing. @throws TextFault when a key on the way is no map */
  get(path: readonly string[]): unknown;
  /** Everything but what stands at these keys, in a form that can be compared. */
  rest(path: readonly string[]): string;
  /** The whole text with the entry in it. @throws TextFault when it cannot be put there by a program */
  set(path: readonly string[], entry: Entry): string;
  /** The whole text without it; as it is when it has none. @throws TextFault */
  remove(path: readonly string[]): string;
}

/** Why a text cannot be read or changed, and where. */
export class TextFault extends Error {
  /** The first is 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.name = "TextFault";
    this.line = line;
  }
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** How this text breaks its lines. */
export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Where the line's own characters end: before its break. */
export function lineEnd(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  if (at < 0) return text.length;
  return text[at - 1] === "\r" && at > offset ? at - 1 : at;
}

/** Behind the break of the line. */
export function nextLine(text: string, offset: number): number {
  const at = text.indexOf("\n", offset);
  return at < 0 ? text.length : at + 1;
}

export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** None of them may touch another. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((changed, { from, to, text: put }) => changed.slice(0, from) + put + changed.slice(to), text);
}

/** A value without what stands at these keys, and without the maps that are empty for it. */
export function restOf(value: unknown, path: readonly string[]): string {
  return JSON.stringify(without(value ?? {}, path));
}

function without(value: unknown, [key, ...inner]: readonly string[]): unknown {
  if (key === undefined || typeof value !== "object" || value === null) return undefined;
  const { [key]: here, ...others } = value as Record<string, unknown>; // maps are objects here
  const left = inner.length === 0 ? undefined : without(here, inner);
  const isEmpty = left === undefined || (typeof left === "object" && Object.keys(left ?? {}).length === 0);
  return isEmpty ? others : { ...others, [key]: left };
}
