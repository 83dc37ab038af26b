// Bytes that are told while nothing about them is known but that some may be text: decoded for the rules, and told again as they came,
// with a star in the place of each byte of a secret. Lengths stay, so every offset means what it meant.
import { isAscii, isUtf8 } from "node:buffer";
import type { RedactionSink } from "./redaction-run.ts";

const star = 0x2a;
const newline = 0x0a;
const carriageReturn = 0x0d;

/** Some of the bytes, and what the rules read in their place. */
interface Piece {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** A character for each byte; else UTF-8. */
  readonly isBytewise: boolean;
}

export class MaskedBytes implements RedactionSink {
  #pieces: Piece[] = [];
  /** Places in the first piece: what comes before them is told. */
  #characters = 0;
  #bytes = 0;
  #told: Uint8Array[] = [];
  /** Characters that were told before, and are only read again. */
  #skipped = 0;

  /** The text for the rules. */
  add(bytes: Uint8Array): string {
    const isBytewise = !isUtf8(bytes) || isAscii(bytes);
    const text = isBytewise ? textOfBytes(bytes) : Buffer.from(bytes).toString();
    if (bytes.length > 0) this.#pieces.push({ bytes, text, isBytewise });
    return text;
  }

  /** So many characters will be heard of that are not to be told again. */
  skip(characters: number): void {
    this.#skipped = characters;
  }

  keep(_text: string, length: number): void {
    this.#tell(length, false);
  }

  hide(_kind: string, length: number): void {
    this.#tell(length, true);
  }

  /** Something has not been told. */
  get isBehind(): boolean {
    return this.#pieces.length > 0;
  }

  /** What has been told since it was last taken. */
  take(): Uint8Array {
    const [only] = this.#told;
    const told = this.#told.length === 1 && only !== undefined ? only : Buffer.concat(this.#told);
    this.#told = [];
    return told;
  }

  #tell(length: number, isHidden: boolean): void {
    let left = length - this.#skipped;
    this.#skipped = Math.max(0, -left);
    while (left > 0) {
      const piece = this.#pieces[0];
      if (piece === undefined) throw new Error("more was told than came in");
      const from = this.#bytes;
      const characters = Math.min(left, piece.text.length - this.#characters);
      this.#bytes += bytesOf(piece, this.#characters, this.#characters + characters);
      this.#characters += characters;
      left -= characters;
      const told = piece.bytes.subarray(from, this.#bytes);
      this.#told.push(isHidden ? starsFor(told) : told);
      if (this.#characters < piece.text.length) continue;
      this.#pieces.shift();
      this.#characters = 0;
      this.#bytes = 0;
    }
  }
}

/** Bytes that are no text are characters that no rule wants. */
function textOfBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  return isAscii(bytes) ? text : text.replaceAll(/[\u0080-\u00ff]/g, "\ufffd");
}

function bytesOf({ bytes, text, isBytewise }: Piece, from: number, to: number): number {
  if (isBytewise) return to - from;
  if (from === 0 && to === text.length) return bytes.length;
  const part = text.slice(from, to);
  // Of a character in two halves, the first one has all its bytes.
  const isLateHalf = isLowSurrogate(part.charCodeAt(0));
  const isEarlyHalf = isHighSurrogate(part.charCodeAt(part.length - 1));
  return Buffer.byteLength(part) - (isLateHalf ? 3 : 0) + (isEarlyHalf ? 1 : 0);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Line ends stay: they are no part of what is secret, and the lines behind them keep their places. */
function starsFor(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => (byte === newline || byte === carriageReturn ? byte : star));
}

/** How many bytes at the end are the beginning of a character. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? back : 0;
  }
  return 0;
}
