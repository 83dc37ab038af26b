// Parts of a stream that are not passed on as they are. Found while it is scanned, applied once it is known to be complete.

export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly instead: Uint8Array;
  /** The emulator gets it unchanged. */
  readonly forViewersOnly: boolean;
}

export const nothing = new Uint8Array();
/** Does nothing, and yet stands between the characters before and after it, as what was taken out did. */
export const noEffect = Uint8Array.of(0);

export class Edits {
  #edits: Edit[] = [];

  add(edit: Edit): void {
    this.#edits.push(edit);
  }

  /** What was found from this place on is part of something that is taken out whole. */
  dropFrom(place: number): void {
    this.#edits = this.#edits.filter(({ to }) => to <= place);
  }

  /** The bytes of [from, to) as they are passed on. Not a copy when nothing is changed. */
  apply(bytes: Uint8Array, range: { from: number; to: number; forViewers: boolean }): Uint8Array {
    const { from, to, forViewers } = range;
    const wanted = this.#edits.filter(
      (edit) => edit.from >= from && edit.to <= to && (forViewers || !edit.forViewersOnly),
    );
    if (wanted.length === 0) return bytes.subarray(from, to);
    const parts: Uint8Array[] = [];
    let at = from;
    for (const edit of wanted) {
      parts.push(bytes.subarray(at, edit.from), edit.instead);
      at = edit.to;
    }
    return Buffer.concat([...parts, bytes.subarray(at, to)]);
  }

  /** Everything before this place is done; places are counted from there. */
  forgetBefore(place: number): void {
    this.#edits = this.#edits
      .filter(({ from }) => from >= place)
      .map((edit) => ({ ...edit, from: edit.from - place, to: edit.to - place }));
  }
}
