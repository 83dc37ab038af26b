// Parts of a stream that are not passed on as they are. Found while it is scanned, applied once they are known to be complete.

export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly instead: Uint8Array;
}

export class StreamEdits<Kind extends Edit = Edit> {
  #edits: Kind[] = [];

  /** In order, and not inside another. */
  add(edit: Kind): void {
    this.#edits.push(edit);
  }

  /** What was found from this place on is part of something that is taken out whole. */
  dropFrom(place: number): void {
    this.#edits = this.#edits.filter(({ to }) => to <= place);
  }

  /** The bytes of [from, to) as they are passed on. Not a copy when nothing is changed. */
  apply(
    bytes: Uint8Array,
    { from, to }: { readonly from: number; readonly to: number },
    isWanted: (edit: Kind) => boolean = () => true,
  ): Uint8Array {
    const wanted = this.#edits.filter((edit) => edit.from >= from && edit.to <= to && isWanted(edit));
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
