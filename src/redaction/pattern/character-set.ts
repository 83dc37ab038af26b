// Sets of characters as tables of 129 places: one for each ASCII code, the last one for every other character.

export type CharacterSet = Uint8Array;

export const symbolCount = 129;
const other = symbolCount - 1;

/** The place of a UTF-16 code in a set or a table. */
export function symbolOf(code: number): number {
  return code < other ? code : other;
}

export function emptySet(): CharacterSet {
  return new Uint8Array(symbolCount);
}

export function addRange(set: CharacterSet, first: number, last: number): CharacterSet {
  return set.fill(1, symbolOf(first), symbolOf(last) + 1);
}

export function addSet(set: CharacterSet, added: CharacterSet): CharacterSet {
  for (let symbol = 0; symbol < symbolCount; symbol++) if (added[symbol] === 1) set[symbol] = 1;
  return set;
}

export function complementOf(set: CharacterSet): CharacterSet {
  return set.map((has) => 1 - has);
}

/** Every letter of the set in both cases. */
export function inBothCases(set: CharacterSet): CharacterSet {
  const both = set.slice();
  for (let upper = 0x41; upper <= 0x5a; upper++) {
    const has = (set[upper] ?? 0) | (set[upper + 0x20] ?? 0);
    both[upper] = has;
    both[upper + 0x20] = has;
  }
  return both;
}

export function isIn(set: CharacterSet, code: number): boolean {
  return set[symbolOf(code)] === 1;
}
