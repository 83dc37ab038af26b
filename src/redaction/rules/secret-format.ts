// Rules that are data: a beginning, what may stand between it and the secret, and what the secret looks like.
import { addRange, emptySet } from "../pattern/character-set.ts";
import { Matcher } from "../pattern/matcher.ts";
import { characterSet } from "../pattern/parse-pattern.ts";
import {
  runOf,
  type Candidate,
  type Finding,
  type Growth,
  type Place,
  type Rule,
  type TextEnd,
} from "../scan/rule.ts";
import type { VisibleText } from "../scan/visible-text.ts";
import { looksLikePlaceholder } from "./placeholder.ts";

export interface SecretFormat {
  readonly kind: string;
  readonly beginnings: readonly string[];
  readonly ignoresCase?: boolean;
  /** Pattern behind the beginning. With it, beginning and lead stay, and the secret follows; the longest match counts. */
  readonly lead?: string;
  /** Pattern of the least of a secret, behind beginning and lead. */
  readonly body: string;
  /** Class of the characters that belong to the secret as long as they follow it. */
  readonly tail?: string;
  /** What must stand before the beginning; by default the start of a word. */
  readonly before?: "word start" | "digit" | "anything";
  /** True: what begins inside a candidate cannot be a secret unless the candidate is. */
  readonly isReadOnce?: boolean;
  /** What tells the secret from an ordinary word of the same shape. */
  readonly needs?: "digit" | "value";
}

export const defaultTail = "[A-Za-z0-9_-]";

/** An undecided candidate of this length is no secret: it bounds what is held back. */
const mostUndecided = 2_048;
/** How much of a secret is looked at to tell it from a word. */
const mostExamined = 128;
/** So much of a secret is worth hiding when the rest was cut off. */
const leastOfHalf = 8;
const digits = addRange(emptySet(), 0x30, 0x39);

export class FormatRule implements Rule {
  readonly beginnings: readonly string[];
  readonly ignoresCase: boolean;
  readonly format: SecretFormat;
  readonly lead: Matcher | undefined;
  readonly body: Matcher;
  readonly tailSet: Uint8Array;
  readonly growth: Growth;

  constructor(format: SecretFormat) {
    this.format = format;
    this.beginnings = format.beginnings;
    this.ignoresCase = format.ignoresCase === true;
    const options = { ignoreCase: this.ignoresCase };
    this.lead = format.lead === undefined ? undefined : new Matcher(format.lead, options);
    this.body = new Matcher(format.body, options);
    this.tailSet = characterSet(format.tail ?? defaultTail);
    this.growth = runOf(this.tailSet);
  }

  begin(place: Place): Candidate | undefined {
    const before = this.format.before ?? "word start";
    if (before === "word start" && !place.isWordStart) return undefined;
    if (before === "digit" && digits[place.text.codeAt(place.start - 1)] !== 1) return undefined;
    return new FormatCandidate(this, place);
  }
}

class FormatCandidate implements Candidate {
  readonly start: number;
  readonly #rule: FormatRule;
  #at: number;
  #state: number;
  #isInLead: boolean;
  #leadEnd = -1;
  #secretStart: number;
  #bodyStart: number;

  constructor(rule: FormatRule, { start, end }: Place) {
    this.#rule = rule;
    this.start = start;
    this.#at = end;
    this.#isInLead = rule.lead !== undefined;
    this.#state = (rule.lead ?? rule.body).start;
    this.#secretStart = start;
    this.#bodyStart = end;
  }

  advance(text: VisibleText, end: TextEnd): Finding | "none" | undefined {
    const { lead } = this.#rule;
    if (this.#isInLead && lead !== undefined) {
      const isOver = this.#followLead(lead, text) || end !== "open";
      if (!isOver) return undefined;
      if (this.#leadEnd < 0) return "none";
      this.#isInLead = false;
      this.#secretStart = this.#bodyStart = this.#at = this.#leadEnd;
      this.#state = this.#rule.body.start;
    }
    return this.#followBody(text, end);
  }

  covers(_text: VisibleText, position: number): boolean {
    return this.#rule.format.isReadOnce === true && position < this.#at;
  }

  /** True when no more text can lengthen the lead. */
  #followLead(lead: Matcher, text: VisibleText): boolean {
    while (this.#at < text.end) {
      if (lead.accepts(this.#state)) this.#leadEnd = this.#at;
      this.#state = lead.step(this.#state, text.codeAt(this.#at));
      if (this.#state === Matcher.dead || this.#at - this.start > mostUndecided) return true;
      this.#at += 1;
    }
    if (lead.accepts(this.#state)) this.#leadEnd = this.#at;
    return false;
  }

  #followBody(text: VisibleText, end: TextEnd): Finding | "none" | undefined {
    const { body } = this.#rule;
    while (!body.accepts(this.#state)) {
      if (this.#at >= text.end) return this.#endOfText(text, end);
      this.#state = body.step(this.#state, text.codeAt(this.#at));
      if (this.#state === Matcher.dead || this.#at - this.start > mostUndecided) return "none";
      this.#at += 1;
    }
    const isSecret = this.#examine(text, end);
    return isSecret === undefined ? this.#endOfText(text, end) : isSecret ? this.#finding() : "none";
  }

  #endOfText(text: VisibleText, end: TextEnd): Finding | "none" | undefined {
    if (end === "open") return undefined;
    return end === "cut" && text.end - this.#bodyStart >= leastOfHalf ? this.#finding() : "none";
  }

  /** Undefined when it takes more text to know. */
  #examine(text: VisibleText, end: TextEnd): boolean | undefined {
    const { needs } = this.#rule.format;
    if (needs === undefined) return true;
    const limit = Math.min(text.end, this.#bodyStart + mostExamined);
    const runEnd = Math.max(this.#at, text.findOutside(this.#rule.tailSet, this.#bodyStart, limit));
    const isWhole = runEnd < text.end || end === "closed" || runEnd >= this.#bodyStart + mostExamined;
    const value = text.slice(this.#bodyStart, runEnd);
    if (needs === "digit") return /\d/.test(value) ? true : isWhole ? false : undefined;
    return isWhole ? !looksLikePlaceholder(value) : undefined;
  }

  #finding(): Finding {
    const { format, growth } = this.#rule;
    return { kind: format.kind, start: this.#secretStart, end: this.#at, growth };
  }
}
