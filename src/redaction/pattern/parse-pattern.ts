// The notation of patterns: the part of regular expressions that a deterministic automaton can follow. Literals, classes,
// groups, alternatives and repetition; no anchors, no look-around, no references. Every pattern is also a JavaScript
// regular expression with the same meaning, so tests can make samples from it.
import { addRange, addSet, complementOf, emptySet, inBothCases, type CharacterSet } from "./character-set.ts";

export type PatternNode =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "sequence"; readonly nodes: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly node: PatternNode; readonly min: number; readonly max: number };

export interface PatternOptions {
  readonly ignoreCase?: boolean;
}

/** @throws SyntaxError for what the notation does not have: a mistake in our own tables, found by every test */
export function parsePattern(source: string, options: PatternOptions = {}): PatternNode {
  return new PatternParser(source, options.ignoreCase === true).parse();
}

/** One class in square brackets, as a set. */
export function characterSet(source: string): CharacterSet {
  const node = parsePattern(source);
  if (node.kind !== "set") throw new SyntaxError(`${source}: not one class`);
  return node.set;
}

const escapedSets: Readonly<Record<string, CharacterSet>> = {
  d: addRange(emptySet(), 0x30, 0x39),
  w: characterRanges("09", "AZ", "__", "az"),
  s: characterRanges("  ", "\t\r"),
};
const escapedCharacters: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0" };

function characterRanges(...ranges: readonly string[]): CharacterSet {
  const set = emptySet();
  for (const range of ranges) addRange(set, range.charCodeAt(0), range.charCodeAt(1));
  return set;
}

class PatternParser {
  readonly #source: string;
  readonly #ignoreCase: boolean;
  #at = 0;

  constructor(source: string, ignoreCase: boolean) {
    this.#source = source;
    this.#ignoreCase = ignoreCase;
  }

  parse(): PatternNode {
    const node = this.#choice();
    if (this.#at < this.#source.length) throw this.#fault("unexpected");
    return node;
  }

  #choice(): PatternNode {
    const nodes = [this.#sequence()];
    while (this.#take("|")) nodes.push(this.#sequence());
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: "choice", nodes };
  }

  #sequence(): PatternNode {
    const nodes: PatternNode[] = [];
    while (this.#at < this.#source.length && !"|)".includes(this.#peek())) nodes.push(this.#repeat());
    return nodes.length === 1 && nodes[0] !== undefined ? nodes[0] : { kind: "sequence", nodes };
  }

  #repeat(): PatternNode {
    const node = this.#single();
    if (this.#take("?")) return { kind: "repeat", node, min: 0, max: 1 };
    if (this.#take("*")) return { kind: "repeat", node, min: 0, max: Infinity };
    if (this.#take("+")) return { kind: "repeat", node, min: 1, max: Infinity };
    if (!this.#take("{")) return node;
    const counts = /^(\d+)(,?)(\d*)\}/.exec(this.#source.slice(this.#at));
    if (counts === null) throw this.#fault("a count is missing at");
    this.#at += counts[0].length;
    const min = Number(counts[1]);
    return { kind: "repeat", node, min, max: counts[3] ? Number(counts[3]) : counts[2] ? Infinity : min };
  }

  #single(): PatternNode {
    if (this.#take("(")) {
      if (!this.#take("?") || !this.#take(":")) throw this.#fault("only (?:…) groups are known, not");
      const node = this.#choice();
      if (!this.#take(")")) throw this.#fault("a group is not closed at");
      return node;
    }
    const set = this.#take("[") ? this.#bracketed() : this.#character();
    return { kind: "set", set: this.#ignoreCase ? inBothCases(set) : set };
  }

  #bracketed(): CharacterSet {
    const isNegated = this.#take("^");
    const set = emptySet();
    while (!this.#take("]")) {
      const first = this.#character();
      if (this.#peek() === "-" && this.#source[this.#at + 1] !== "]") {
        this.#at += 1;
        addRange(set, first.indexOf(1), this.#character().indexOf(1));
      } else {
        addSet(set, first);
      }
    }
    return isNegated ? complementOf(set) : set;
  }

  #character(): CharacterSet {
    const character = this.#next();
    if (character !== "\\") return characterRanges(character + character);
    const escaped = this.#next();
    const literal = escapedCharacters[escaped] ?? escaped;
    return escapedSets[escaped] ?? characterRanges(literal + literal);
  }

  #peek(): string {
    return this.#source[this.#at] ?? "";
  }

  #next(): string {
    const character = this.#source[this.#at];
    if (character === undefined) throw this.#fault("it ends too early");
    this.#at += 1;
    return character;
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #fault(message: string): SyntaxError {
    return new SyntaxError(`${this.#source}: ${message} ${this.#source.slice(this.#at, this.#at + 10)}`);
  }
}
