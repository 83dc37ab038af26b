// All patterns of a process at once: each line is looked at a fixed number of times, however many they are.
import { RE2JS, RE2Set } from "re2js";

export type Pattern = { readonly text: string } | { readonly regex: string };

// Of the automaton that is made while matching; beyond it matching goes on in linear time, more slowly.
const mostAutomatonBytes = 4 * 1024 * 1024;

/** Anchors to the whole text, and flags switched off: in several lines at once they mean something else than in one. */
const tiedToWholeText = /\\[Az]|\(\?[a-zA-Z]*-/;

/** @throws an error of re2js for a pattern that is not RE2 */
export function toRegex(pattern: Pattern): string {
  return "text" in pattern ? RE2JS.quote(pattern.text) : pattern.regex;
}

export class PatternSet {
  readonly #count: number;
  readonly #set = new RE2Set(RE2Set.UNANCHORED, 0, mostAutomatonBytes);
  /** Any of them: much quicker than to tell which. Undefined where they cannot be made one (a group name twice). */
  readonly #any: RE2JS | undefined;
  readonly #worksOnBlocks: boolean;

  constructor(patterns: readonly Pattern[]) {
    const regexes = patterns.map(toRegex);
    this.#count = regexes.length;
    for (const regex of regexes) this.#set.add(regex);
    this.#any = unionOf(regexes);
    this.#worksOnBlocks = !patterns.some((one) => "regex" in one && tiedToWholeText.test(one.regex));
  }

  /** False: none of the lines matches. For lines without control characters. */
  mayMatch(lines: string): boolean {
    if (this.#count === 0) return false;
    return !this.#worksOnBlocks || this.#any === undefined || this.#any.test(lines);
  }

  /** Which of them are found in the line. */
  match(line: string): readonly number[] {
    if (this.#count === 0) return [];
    if (this.#any === undefined) return this.#set.match(line);
    if (!this.#any.test(line)) return [];
    return this.#count === 1 ? [0] : this.#set.match(line);
  }
}

function unionOf(regexes: readonly string[]): RE2JS | undefined {
  try {
    // In several lines at once, ^ and $ stand for the ends of each.
    return RE2JS.compile(regexes.map((regex) => `(?:${regex})`).join("|"), RE2JS.MULTILINE);
  } catch {
    return undefined; // each is sound: they were checked one by one
  }
}
