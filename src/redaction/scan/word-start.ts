// Whether a word can begin at a position, also where what stands before it only looks like a letter of the word.
import { characterSet } from "../pattern/parse-pattern.ts";
import { isIn } from "../pattern/character-set.ts";
import type { VisibleText } from "./visible-text.ts";

const farthest = 24;
const wordSet = characterSet("[A-Za-z0-9_]");
/** Written out, as in JSON, in a URL or by `cat -v`: \n, \u001b[1m, %20, ^[[0;31m. */
const writtenOut = /(?:\\[nrtbfv0]|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|\[[0-9;]{0,16}m)$/;

export function isWordStart(text: VisibleText, position: number): boolean {
  if (position === 0 || !isIn(wordSet, text.codeAt(position - 1))) return true;
  return writtenOut.test(text.slice(position - farthest, position));
}
