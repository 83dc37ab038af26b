// One character of UTF-8 in a stream of bytes, read as xterm's decoder reads it: what is not valid counts for nothing.

export const incomplete = -1;
export const invalid = -2;

/** How many of the bytes at a place belong together; what they mean is told by `characterAt`. */
export function characterLength(lead: number): number {
  if ((lead & 0xe0) === 0xc0) return 2;
  if ((lead & 0xf0) === 0xe0) return 3;
  return (lead & 0xf8) === 0xf0 ? 4 : 1;
}

export interface ReadCharacter {
  /** Code point, `incomplete` or `invalid`. */
  code: number;
  /** How many bytes were read. */
  length: number;
}

// The smallest code point that needs so many bytes.
const least = [0, 0, 0x80, 0x8_00, 0x1_00_00];
const byteOrderMark = 0xfeff;

/** Reads at a place whose byte is 0x80 or more. Writes into `result`: this is called for every such character. */
export function characterAt(bytes: Uint8Array, at: number, result: ReadCharacter): void {
  const lead = bytes[at] ?? 0;
  const length = characterLength(lead);
  result.length = 1;
  result.code = invalid;
  if (length === 1) return;
  let code = lead & (0xff >> (length + 1));
  for (let index = 1; index < length; index++) {
    const next = bytes[at + index];
    result.length = index;
    if (next === undefined) {
      result.code = incomplete;
      return;
    }
    if ((next & 0xc0) !== 0x80) return; // broken off: the new byte stands for itself
    code = (code << 6) | (next & 0x3f);
  }
  result.length = length;
  const isLegal =
    code >= (least[length] ?? 0) &&
    code <= 0x10_ff_ff &&
    (code < 0xd8_00 || code > 0xdf_ff) &&
    code !== byteOrderMark;
  if (isLegal) result.code = code;
  else if (length === 2) result.length = 1; // its second byte is looked at again, and found to be no lead
}
