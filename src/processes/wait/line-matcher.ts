// Finds a text or pattern in output as it comes: on decoded, escape-free lines, put together across chunks and characters.
import { StringDecoder } from "node:string_decoder";
import { RE2JS } from "re2js";
import { HoldfastError } from "../../protocol/errors.ts";
import { plainText } from "../output/plain-text.ts";

export interface LineMatch {
  /** Absolute offset at which the line begins. */
  readonly offset: number;
  readonly line: string;
}

// A line longer than this is looked at in pieces: a program that never ends its line must not fill the memory.
const longestLine = 65_536;

export type LineTest = (line: string) => boolean;

/** @throws HoldfastError INVALID_ARGUMENT for a pattern that is not RE2 */
export function lineTest(pattern: {
  readonly text?: string | undefined;
  readonly regex?: string | undefined;
}): LineTest {
  const { text, regex } = pattern;
  if (text !== undefined) return (line) => line.includes(text);
  try {
    const compiled = RE2JS.compile(regex ?? "");
    return (line) => compiled.matcher(line).find();
  } catch (error) {
    throw new HoldfastError("INVALID_ARGUMENT", `The pattern cannot be used: ${String(error)}`, {
      hint: "Patterns are RE2: no look-around and no back-references.",
      cause: error,
    });
  }
}

export class LineMatcher {
  readonly #test: LineTest;
  readonly #decoder = new StringDecoder("utf8");
  #line = "";
  #lineOffset = 0;
  #isFresh = true;

  constructor(test: LineTest) {
    this.#test = test;
  }

  /** The first match that this chunk completes. */
  push(bytes: Buffer, offset: number): LineMatch | undefined {
    let start = 0;
    while (start < bytes.length) {
      if (this.#isFresh) this.#lineOffset = offset + start;
      this.#isFresh = false;
      const newline = bytes.indexOf(0x0a, start);
      const end = newline < 0 ? bytes.length : newline;
      this.#line += this.#decoder.write(bytes.subarray(start, end));
      start = end + 1;
      if (newline < 0 && this.#line.length < longestLine) return undefined;
      const match = this.look();
      this.#line = newline < 0 ? this.#line.slice(-longestLine / 2) : "";
      this.#isFresh = newline >= 0;
      if (match !== undefined) return match;
    }
    return undefined;
  }

  /** Tests the line as far as it came: a prompt has no newline. */
  look(): LineMatch | undefined {
    const line = plainText(this.#line);
    return line !== "" && this.#test(line) ? { offset: this.#lineOffset, line } : undefined;
  }
}
