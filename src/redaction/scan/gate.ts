// The cheap look at every character: one table that follows the beginnings of all rules at once, and stops at characters
// that are not text. Only where a beginning was seen does a rule look at the text itself.
import { GateStates, type CharacterClass, type GateEntry, type GateHit } from "./gate-states.ts";
import { hiddenRanges } from "./hidden-text.ts";

const carriageReturn = 0x0d;
const newline = 0x0a;
const space = 0x20;
const asciiCount = 128;
const codeCount = 65_536;
const hiddenClass = 0;
const otherClass = 1;

/** Added to a state that is worth a look, so that one comparison finds it; a place nobody has been at is `unknown`. */
const ofNote = 2 ** 29;
const unknown = 2 ** 30;

/** Where the gate stands between two pieces of text. */
export interface GatePosition {
  row: number;
}

/**
 * The inner loop: nothing but the table, so that it is compiled once and well. Returns the index of the character that
 * leads to a row of note, or the length. For a place nobody has been at, the row is `unknown` and that place.
 */
function pass(
  text: string,
  from: number,
  position: GatePosition,
  table: Int32Array,
  classOf: Uint8Array,
): number {
  const length = text.length;
  let row = position.row;
  let place = row;
  let index = from;
  for (; index < length; index++) {
    place = row + (classOf[text.charCodeAt(index)] ?? 0);
    row = table[place] ?? 0;
    if (row >= ofNote) break;
  }
  position.row = row === unknown ? unknown + place : row;
  return index;
}

export class Gate {
  readonly #classOf = new Uint8Array(codeCount).fill(otherClass);
  readonly #classCount: number;
  readonly #states: GateStates;
  /** Next state by state and class; a state is told by the place where its row begins. */
  #table: Int32Array;
  /** Length of the longest beginning. */
  readonly longest: number;

  constructor(entries: readonly GateEntry[]) {
    const classes = this.#classify(entries);
    this.#classCount = classes.length;
    this.#states = new GateStates(entries, classes);
    this.#table = new Int32Array(64 * this.#classCount).fill(unknown);
    this.longest = Math.max(...entries.map(({ places }) => places.length));
  }

  /**
   * Follows the text and calls `onHit` behind each beginning. Returns where it stops to be text, or its length. A return
   * inside a line takes the space before it along: shells break long lines with both.
   */
  follow(
    text: string,
    position: GatePosition,
    onHit: (end: number, hits: readonly GateHit[]) => void,
  ): number {
    let index = 0;
    for (;;) {
      index = pass(text, index, position, this.#table, this.#classOf);
      if (index === text.length) return index;
      if (position.row >= unknown) position.row = this.#explore(position.row - unknown);
      if (position.row >= ofNote) {
        position.row -= ofNote;
        const { hits, stop } = this.#states.state(position.row / this.#classCount);
        if (stop === "hidden") return index;
        if (stop === "return") return text.charCodeAt(index - 2) === space ? index - 2 : index - 1;
        onHit(index + 1, hits);
      }
      index += 1;
    }
  }

  /** As if only this text had been followed, which is enough when it is as long as the longest beginning. */
  restart(position: GatePosition, text: string): void {
    position.row = 0;
    this.follow(text.slice(-this.longest), position, () => {});
  }

  /** How many of the last characters may belong to a beginning that is not finished. */
  depthOf({ row }: GatePosition): number {
    return this.#states.state(row / this.#classCount).depth;
  }

  /** The row behind a character that nobody has met in this state. */
  #explore(place: number): number {
    const symbolClass = place % this.#classCount;
    const number = this.#states.follow((place - symbolClass) / this.#classCount, symbolClass);
    const { hits, stop } = this.#states.state(number);
    const row = number * this.#classCount;
    if (row + this.#classCount > this.#table.length) {
      const larger = new Int32Array(this.#table.length * 2).fill(unknown);
      larger.set(this.#table);
      this.#table = larger;
    }
    const told = hits.length > 0 || stop !== undefined ? row + ofNote : row;
    this.#table[place] = told;
    return told;
  }

  /** Gives every code its class: codes that no rule tells apart share one. */
  #classify(entries: readonly GateEntry[]): CharacterClass[] {
    const plain = { isReturn: false, isNewline: false };
    const classes: CharacterClass[] = [
      { symbol: undefined, ...plain },
      { symbol: asciiCount, ...plain },
    ];
    const sets = [...new Set(entries.flatMap(({ places }) => places))];
    const known = new Map<string, number>();
    for (let code = 0; code < asciiCount; code++) {
      const [isReturn, isNewline] = [code === carriageReturn, code === newline];
      const name = `${isReturn} ${isNewline} ${sets.map((set) => set[code]).join("")}`;
      const number = known.get(name) ?? classes.push({ symbol: code, isReturn, isNewline }) - 1;
      known.set(name, number);
      this.#classOf[code] = number;
    }
    for (const [first, last] of hiddenRanges) this.#classOf.fill(hiddenClass, first, last + 1);
    return classes;
  }
}
