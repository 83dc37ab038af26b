// The text without its escape sequences, at positions that never change meaning. Only the newest part is kept: what is
// still undecided, and before it as much as a rule may look back. It stays in the pieces in which it came, because joining
// costs a copy, and most of it is never looked at again.
import { isIn, type CharacterSet } from "../pattern/character-set.ts";

/** The farthest look back: the start of a line, and the lines before it that make it part of a dump. */
export const lookBackLength = 8_192;

/** So that finding a place among very small pieces stays cheap. */
const mostPieces = 8;

export class VisibleText {
  readonly #pieces: string[] = [];
  /** Positions of the first characters of the pieces. */
  readonly #bases: number[] = [];
  #end = 0;
  /** How many characters rules have asked for: the work beside the gate's, which reads every character once. */
  charactersRead = 0;
  /** Nobody will ask for what is before this. */
  #needed = 0;

  /** Position of the first character that is still there. */
  get base(): number {
    return this.#bases[0] ?? this.#end;
  }

  /** Position behind the last character. */
  get end(): number {
    return this.#end;
  }

  append(text: string): void {
    if (text === "") return;
    if (this.#pieces.length >= mostPieces) this.#join();
    this.#pieces.push(text);
    this.#bases.push(this.#end);
    this.#end += text.length;
  }

  /** NaN where there is no character, or none any more. */
  codeAt(position: number): number {
    this.charactersRead += 1;
    const index = this.#indexOf(position);
    return (this.#pieces[index] ?? "").charCodeAt(position - (this.#bases[index] ?? 0));
  }

  slice(from: number, to: number): string {
    this.charactersRead += Math.max(0, Math.min(to, this.#end) - Math.max(from, this.base));
    return this.#copy(from, to);
  }

  /** Position of the first character from `from` on that is not in the set; `to` if all are. */
  findOutside(set: CharacterSet, from: number, to: number): number {
    return this.#find(set, false, from, to);
  }

  /** Position of the first character from `from` on that is in the set; `to` if none is. */
  findInside(set: CharacterSet, from: number, to: number): number {
    return this.#find(set, true, from, to);
  }

  /** Nobody will ask for what is farther before `position` than a rule may look back. */
  forget(position: number): void {
    this.#needed = Math.max(this.#needed, position - lookBackLength);
    const gone = this.#indexOf(this.#needed);
    if (gone <= 0) return;
    this.#pieces.splice(0, gone);
    this.#bases.splice(0, gone);
  }

  /** The piece with this position; -1 before the first, the last one behind the end. */
  #indexOf(position: number): number {
    let index = this.#bases.length - 1;
    while (index >= 0 && (this.#bases[index] ?? 0) > position) index -= 1;
    return index;
  }

  #copy(from: number, to: number): string {
    let index = this.#indexOf(Math.max(from, this.base));
    let text = "";
    for (; index < this.#pieces.length; index++) {
      const base = this.#bases[index] ?? 0;
      if (base >= to) break;
      text += (this.#pieces[index] ?? "").slice(Math.max(0, from - base), to - base);
    }
    return text;
  }

  #find(set: CharacterSet, isWanted: boolean, from: number, to: number): number {
    this.charactersRead += 1;
    let at = from;
    for (let index = this.#indexOf(from); index >= 0 && index < this.#pieces.length && at < to; index++) {
      const [text, base] = [this.#pieces[index] ?? "", this.#bases[index] ?? 0];
      const most = Math.min(to, base + text.length);
      const begin = at;
      while (at < most && isIn(set, text.charCodeAt(at - base)) !== isWanted) at += 1;
      this.charactersRead += at - begin;
      if (at < most) return at;
    }
    return at;
  }

  /** One piece of all that is still needed. */
  #join(): void {
    const from = Math.max(this.base, this.#needed);
    const text = this.#copy(from, this.#end);
    this.#pieces.splice(0, this.#pieces.length, text);
    this.#bases.splice(0, this.#bases.length, from);
  }
}
