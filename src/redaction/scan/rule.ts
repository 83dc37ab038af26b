// What a rule is to the scanner: beginnings for the gate, and a candidate that reads on from there.
import type { CharacterSet } from "../pattern/character-set.ts";
import type { VisibleText } from "./visible-text.ts";

export interface Rule {
  /** Literals at which the rule wants to look at the text. */
  readonly beginnings: readonly string[];
  readonly ignoresCase: boolean;
  /** Undefined when what stands before rules it out. */
  begin(place: Place): Candidate | undefined;
}

/** Where a beginning was seen. */
export interface Place {
  readonly text: VisibleText;
  /** Position of the first character of the beginning, and of the first one behind it. */
  readonly start: number;
  readonly end: number;
  /** True where a word can begin: also behind an escape sequence, a redaction, or a written-out \n. */
  readonly isWordStart: boolean;
}

/**
 * Whether more text can come. `closed`: no. `cut`: no, but the text goes on where nobody can see, so a half is treated
 * like the whole.
 */
export type TextEnd = "open" | "closed" | "cut";

/** A secret, from its first character to the one behind its last; growth says how it may go on. */
export interface Finding {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly growth?: Growth;
}

export interface Candidate {
  /** Nothing from here on may be told while this is undecided. */
  readonly start: number;
  /** Reads on. Undefined: more text is needed, which is an answer only while the end is open. */
  advance(text: VisibleText, end: TextEnd): Finding | "none" | undefined;
  /** True: the same rule need not look at `position`, because this candidate tells, or has told. */
  covers?(text: VisibleText, position: number): boolean;
}

export interface Growth {
  /** Reads on from `from`. `isOver`: what follows does not belong to it, whatever comes. */
  grow(text: VisibleText, from: number, end: TextEnd): { readonly end: number; readonly isOver: boolean };
  /** True: what is behind the end now may yet turn out to belong to it. */
  readonly holdsBack: boolean;
}

/** Grows as long as characters of the set follow. */
export function runOf(set: CharacterSet): Growth {
  return {
    holdsBack: false,
    grow(text, from) {
      const end = text.findOutside(set, from, text.end);
      return { end, isOver: end < text.end };
    },
  };
}
