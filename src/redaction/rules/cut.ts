// What stands first in a text whose beginning was cut off may be the end of a secret: its first word, and lines of a key.
import { characterSet } from "../pattern/parse-pattern.ts";
import type { Finding, Growth, TextEnd } from "../scan/rule.ts";
import type { VisibleText } from "../scan/visible-text.ts";
import { KeyLines } from "./key-lines.ts";

/** A shorter rest of a secret tells nothing. */
const leastOfRest = 8;
/** May be the end of a line of a key, so that its last line may follow. */
const keyLine = /^[A-Za-z0-9+/=]{8,}$/;
const wordSet = characterSet("[A-Za-z0-9_+/=.~%-]");

/** At the beginning of the text, as long as it turns out to be. */
export function cutFinding(): Finding {
  return { kind: "cut", start: 0, end: 0, growth: new CutGrowth() };
}

class CutGrowth implements Growth {
  readonly holdsBack = true;
  #wordEnd = 0;
  #lines: KeyLines | undefined;

  grow(text: VisibleText, _from: number, end: TextEnd): { readonly end: number; readonly isOver: boolean } {
    if (this.#lines === undefined) {
      this.#wordEnd = text.findOutside(wordSet, this.#wordEnd, text.end);
      const isLong = this.#wordEnd >= leastOfRest;
      if (this.#wordEnd === text.end && end === "open") return { end: isLong ? text.end : 0, isOver: false };
      this.#lines = KeyLines.after(this.#wordEnd, keyLine.test(text.slice(0, this.#wordEnd)));
    }
    this.#lines.read(text, end);
    const hasLines = this.#lines.end > this.#wordEnd;
    const isWorthHiding = hasLines || this.#wordEnd >= leastOfRest;
    return { end: isWorthHiding ? this.#lines.end : 0, isOver: this.#lines.isOver };
  }
}
