// What a reader of output gets, live or from the files alike.

/** The letters of CONTRACT.md §3.2 and what they stand for. */
export const markKinds = {
  o: "stdout",
  e: "stderr",
  r: "resized",
  g: "gap",
  k: "successor",
} as const;
export type MarkLetter = keyof typeof markKinds;

/** stdout, stderr: the stream from this offset on. successor: another keeper went on. */
export type MarkKind = (typeof markKinds)[MarkLetter];

/** A line of the index: what happened at an offset. */
export interface Mark {
  readonly mark: MarkKind;
  /** Since the start of the process. */
  readonly timeUs: number;
  readonly offset: number;
  /** resized: columns × 65536 + rows; gap: how many bytes; successor: pid of the keeper. */
  readonly value: number;
}

export type OutputEvent =
  | { readonly kind: "data"; readonly offset: number; readonly bytes: Buffer }
  | ({ readonly kind: "mark" } & Mark)
  /** Bytes that nobody has any more: dropped to stay within the limit, or lost to a full disk. */
  | { readonly kind: "missing"; readonly from: number; readonly to: number; readonly why: "dropped" | "gap" }
  /** Always the last one. closed: no more output can ever come. */
  | { readonly kind: "end"; readonly nextOffset: number; readonly why: "reached" | "closed" };

/** Undefined for a letter of a newer minor version. */
export function markKindOf(letter: string): MarkKind | undefined {
  return Object.hasOwn(markKinds, letter) ? markKinds[letter as MarkLetter] : undefined; // hasOwn has just proven it
}
