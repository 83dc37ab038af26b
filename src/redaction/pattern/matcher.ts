// A pattern as a deterministic automaton, made state by state as text needs it: one step for each character, whatever the
// pattern, and at every moment it is known whether more text could still make it match.
import { symbolCount, symbolOf, type CharacterSet } from "./character-set.ts";
import { parsePattern, type PatternNode, type PatternOptions } from "./parse-pattern.ts";

/** A place in the pattern: takes a character of the set to go on, or goes on at once. */
interface Place {
  readonly set: CharacterSet | undefined;
  readonly next: readonly number[];
}

interface MatcherState {
  readonly places: readonly number[];
  readonly isAccepting: boolean;
  /** By symbol; -1 where nobody has been yet. */
  readonly next: Int16Array;
}

const end = 0;
const unknown = -1;
// A pattern of ours has tens of states; a table that could fill the memory is a mistake in it.
const mostStates = 4_096;

export class Matcher {
  /** No text can match any more. */
  static readonly dead = 0;
  readonly #places: Place[] = [{ set: undefined, next: [] }];
  readonly #states: MatcherState[] = [];
  readonly #numbers = new Map<string, number>();
  /** Before the first character. */
  readonly start: number;

  constructor(pattern: string, options?: PatternOptions) {
    this.#stateOf(new Set());
    this.start = this.#stateOf(new Set([this.#compile(parsePattern(pattern, options), end)]));
  }

  /** The state after one more character. */
  step(state: number, code: number): number {
    const symbol = symbolOf(code);
    const row = this.#states[state];
    const known = row?.next[symbol] ?? Matcher.dead;
    return known === unknown && row !== undefined ? this.#explore(row, symbol) : known;
  }

  accepts(state: number): boolean {
    return this.#states[state]?.isAccepting === true;
  }

  #explore(row: MatcherState, symbol: number): number {
    const reached = new Set<number>();
    for (const number of row.places) {
      const place = this.#places[number];
      if (place?.set?.[symbol] === 1) for (const next of place.next) reached.add(next);
    }
    const state = this.#stateOf(reached);
    row.next[symbol] = state;
    return state;
  }

  /** The number of the state that is at all these places, and wherever one comes from them without a character. */
  #stateOf(reached: Set<number>): number {
    for (const number of reached) {
      const place = this.#places[number];
      if (place !== undefined && place.set === undefined) for (const next of place.next) reached.add(next);
    }
    const places = [...reached].toSorted((left, right) => left - right);
    const name = places.join();
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    if (this.#states.length >= mostStates) throw new RangeError("A pattern needs too many states.");
    const isAccepting = places[0] === end;
    this.#states.push({ places, isAccepting, next: new Int16Array(symbolCount).fill(unknown) });
    this.#numbers.set(name, this.#states.length - 1);
    return this.#states.length - 1;
  }

  /** Places for the node that lead to `target`; returns where it begins. */
  #compile(node: PatternNode, target: number): number {
    switch (node.kind) {
      case "set":
        return this.#place({ set: node.set, next: [target] });
      case "sequence":
        return node.nodes.reduceRight((to, part) => this.#compile(part, to), target);
      case "choice":
        return this.#place({ set: undefined, next: node.nodes.map((part) => this.#compile(part, target)) });
      default:
        return this.#compileRepeat(node.node, node.min, node.max, target);
    }
  }

  #compileRepeat(node: PatternNode, min: number, max: number, target: number): number {
    let begin = target;
    if (max === Infinity) {
      const next = [target];
      begin = this.#place({ set: undefined, next });
      next.push(this.#compile(node, begin));
    } else {
      for (let count = min; count < max; count++) {
        begin = this.#place({ set: undefined, next: [target, this.#compile(node, begin)] });
      }
    }
    for (let count = 0; count < min; count++) begin = this.#compile(node, begin);
    return begin;
  }

  #place(place: Place): number {
    this.#places.push(place);
    return this.#places.length - 1;
  }
}
