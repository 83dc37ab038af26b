// Private keys in armour: from -----BEGIN … PRIVATE KEY----- to its end, or as far as the lines look like one when the end
// never comes. The bare words, as code has them, are no key: a key has a body.
import { Matcher } from "../pattern/matcher.ts";
import type { Candidate, Finding, Growth, Place, Rule, TextEnd } from "../scan/rule.ts";
import type { VisibleText } from "../scan/visible-text.ts";
import { KeyLines } from "./key-lines.ts";

const beginnings = {
  "-----BEGIN ": new Matcher("(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"),
  "---- BEGIN ": new Matcher("(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY ----"),
  /** PuTTY's files have the length in lines. */
  "Private-Lines: ": new Matcher("[0-9]{1,3}\\r?\\n"),
} as const;

export const privateKeyRule: Rule = {
  beginnings: Object.keys(beginnings),
  ignoresCase: false,
  begin({ text, start, end }: Place): Candidate | undefined {
    const matcher = beginnings[text.slice(start, end) as keyof typeof beginnings];
    return new PrivateKeyCandidate(matcher, start, end);
  },
};

class PrivateKeyCandidate implements Candidate {
  readonly start: number;
  readonly #matcher: Matcher;
  #state: number;
  #at: number;
  #lines: KeyLines | undefined;

  constructor(matcher: Matcher, start: number, end: number) {
    this.#matcher = matcher;
    this.start = start;
    this.#at = end;
    this.#state = matcher.start;
  }

  advance(text: VisibleText, end: TextEnd): Finding | "none" | undefined {
    while (this.#lines === undefined) {
      if (this.#at >= text.end) return end === "open" ? undefined : "none";
      this.#state = this.#matcher.step(this.#state, text.codeAt(this.#at));
      if (this.#state === Matcher.dead) return "none";
      this.#at += 1;
      if (this.#matcher.accepts(this.#state)) this.#lines = new KeyLines(this.#at);
    }
    const lines = this.#lines;
    lines.read(text, end);
    if (lines.hasBody)
      return { kind: "private-key", start: this.start, end: lines.end, growth: growthOf(lines) };
    return lines.isOver || end !== "open" ? "none" : undefined;
  }
}

/** The lines know their own place: they are read on, whatever the span's end. */
export function growthOf(lines: KeyLines): Growth {
  return {
    holdsBack: true,
    grow(text, _from, end) {
      lines.read(text, end);
      return { end: lines.end, isOver: lines.isOver };
    },
  };
}
