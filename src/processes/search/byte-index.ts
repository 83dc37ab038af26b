// From a place in decoded text back to the bytes it was decoded from, which may hold what is no UTF-8.

const replacement = 0xfffd;

/** Index of the first byte of the character at `index` of `bytes.toString("utf8")`. */
export function byteIndexOf(bytes: Buffer, index: number): number {
  const before = bytes.toString("utf8").slice(0, index);
  let at = 0;
  for (const character of before) {
    const isBroken = character.codePointAt(0) === replacement && !isWritten(bytes, at);
    at += isBroken ? brokenLength(bytes, at) : Buffer.byteLength(character);
  }
  return at;
}

/** The program itself wrote the character that stands for broken ones. */
function isWritten(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
}

/** One replacement stands for as much as could have been the beginning of a character. */
function brokenLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const [least, most] = secondByte(lead);
  let length = 1;
  while (length < wholeLength(lead)) {
    const byte = bytes[at + length] ?? 0;
    if (byte < (length === 1 ? least : 0x80) || byte > (length === 1 ? most : 0xbf)) break;
    length += 1;
  }
  return length;
}

function wholeLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 1;
}

/** Narrower than 80 to BF where a character would be too long, a surrogate, or beyond the last one. */
function secondByte(lead: number): readonly [least: number, most: number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  return lead === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}
