// The states of the gate: which beginnings are under way, and how far each has come. Made one by one, as text leads to them.
import { addRange, emptySet, inBothCases, type CharacterSet } from "../pattern/character-set.ts";

/** A beginning of a rule: one set of characters for each of its places. */
export interface GateEntry {
  readonly rule: number;
  readonly places: readonly CharacterSet[];
}

export interface GateHit {
  readonly rule: number;
  readonly length: number;
}

/** Characters that no rule tells apart. */
export interface CharacterClass {
  /** One of them; undefined for what is not text. */
  readonly symbol: number | undefined;
  readonly isReturn: boolean;
  readonly isNewline: boolean;
}

export interface GateState {
  /** Beginnings that end here. */
  readonly hits: readonly GateHit[];
  /** What is not text, or a character behind a return that should have been a newline. */
  readonly stop: "hidden" | "return" | undefined;
  /** Characters that the longest unfinished beginning has taken. */
  readonly depth: number;
  readonly isAfterReturn: boolean;
  readonly progress: Progress;
}

/** Beginnings under way: entry, and number of characters taken. */
type Progress = readonly (readonly [entry: number, taken: number])[];

const startName = "";

export class GateStates {
  readonly #entries: readonly GateEntry[];
  readonly #classes: readonly CharacterClass[];
  /** What each class begins. */
  readonly #begun: readonly Progress[];
  readonly #states: GateState[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(entries: readonly GateEntry[], classes: readonly CharacterClass[]) {
    this.#entries = entries;
    this.#classes = classes;
    this.#begun = classes.map(({ symbol }) => {
      return entries.flatMap(({ places }, entry) => {
        return symbol !== undefined && places[0]?.[symbol] === 1 ? [[entry, 1] as const] : [];
      });
    });
    this.#numberOf(startName, this.#describe([], false));
  }

  /** State 0 is the one at the beginning of a text. */
  state(number: number): GateState {
    const state = this.#states[number];
    if (state === undefined) throw new RangeError(`The gate has no state ${number}.`);
    return state;
  }

  /** Number of the state behind a character of the class. */
  follow(number: number, symbolClass: number): number {
    const from = this.state(number);
    const { symbol, isReturn, isNewline } = this.#classes[symbolClass] ?? {};
    const stop = from.isAfterReturn && isNewline !== true ? "return" : "hidden";
    if (stop === "return" || symbol === undefined)
      return this.#numberOf(stop, { ...this.#describe([], false), stop });
    const goesOn = from.progress.flatMap(([entry, taken]) => {
      return this.#entries[entry]?.places[taken]?.[symbol] === 1 ? [[entry, taken + 1] as const] : [];
    });
    const progress = [...goesOn, ...(this.#begun[symbolClass] ?? [])];
    const name = `${isReturn === true ? "r" : ""}${progress.join(";")}`;
    return this.#numbers.get(name) ?? this.#numberOf(name, this.#describe(progress, isReturn === true));
  }

  #numberOf(name: string, state: GateState): number {
    const number = this.#numbers.get(name) ?? this.#states.push(state) - 1;
    this.#numbers.set(name, number);
    return number;
  }

  #describe(progress: Progress, isAfterReturn: boolean): GateState {
    const hits = progress.flatMap(([entry, taken]) => {
      const described = this.#entries[entry];
      return described?.places.length === taken ? [{ rule: described.rule, length: taken }] : [];
    });
    const underWay = progress.filter(([entry, taken]) => (this.#entries[entry]?.places.length ?? 0) > taken);
    const depth = Math.max(0, ...underWay.map(([, taken]) => taken));
    return { hits, stop: undefined, depth, isAfterReturn, progress: underWay };
  }
}

const literalSets = new Map<string, CharacterSet>();

/** The places of a literal. Equal characters share a set. */
export function literalPlaces(literal: string, ignoresCase: boolean): CharacterSet[] {
  return literal.split("").map((character) => {
    const name = `${character}${ignoresCase}`;
    const code = character.charCodeAt(0);
    const single = literalSets.get(name) ?? addRange(emptySet(), code, code);
    const set = literalSets.get(name) ?? (ignoresCase ? inBothCases(single) : single);
    literalSets.set(name, set);
    return set;
  });
}
