// The `key value` lines of CONTRACT.md §2: spec, exit, keeper and launcher records, option lines, STATE.

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is escaped
const needsEscape = /[\u0000-\u001f%\u007f]/;
// oxlint-disable-next-line no-control-regex -- as above
const escapedCharacters = /[\u0000-\u001f%\u007f]/g;

const percent = 0x25;

/** The value as it stands in a line. Every escaped character is one byte, so characters and bytes agree here. */
export function escapeValue(value: string): string {
  // Most values need nothing; the start path calls this for every option.
  if (!needsEscape.test(value)) return value;
  return value.replace(escapedCharacters, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

export function formatLine(key: string, value: string | number): string {
  return typeof value === "number" ? `${key} ${value}\n` : `${key} ${escapeValue(value)}\n`;
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const upper = byte & 0xdf;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x41 + 10 : -1;
}

/** The value a line stands for. A malformed escape stands for itself. */
export function unescapeValue(text: string): string {
  if (!text.includes("%")) return text;
  // By bytes: an escape may be one byte of a UTF-8 sequence.
  const bytes = Buffer.from(text);
  let used = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const high = byte === percent ? hexDigit(bytes[at + 1]) : -1;
    const low = high >= 0 ? hexDigit(bytes[at + 2]) : -1;
    if (low >= 0) at += 2;
    bytes[used++] = low >= 0 ? high * 16 + low : byte;
  }
  return bytes.toString("utf8", 0, used);
}

/** The lines of one text, in order, values unescaped. */
export type TextLines = ReadonlyArray<readonly [key: string, value: string]>;

/** Reads a text. The padding of a `keeper` file and lines without a key are passed over. */
export function parseText(text: string): TextLines {
  const lines: Array<readonly [string, string]> = [];
  for (const line of text.split("\n")) {
    const space = line.indexOf(" ");
    if (space === 0 || line === "") continue;
    lines.push(space < 0 ? [line, ""] : [line.slice(0, space), unescapeValue(line.slice(space + 1))]);
  }
  return lines;
}

/** The value of the first line with this key. */
export function textValue(lines: TextLines, key: string): string | undefined {
  return lines.find(([name]) => name === key)?.[1];
}

export function textValues(lines: TextLines, key: string): string[] {
  return lines.filter(([name]) => name === key).map(([, value]) => value);
}

/** The first line with this key as a whole number; undefined if it is none, or one that a double cannot hold exactly. */
export function textNumber(lines: TextLines, key: string): number | undefined {
  const value = textValue(lines, key);
  if (value === undefined || !/^-?\d+$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The lines from the first with this key on; none if there is no such line. */
export function linesFrom(lines: TextLines, key: string): TextLines {
  const first = lines.findIndex(([name]) => name === key);
  return first < 0 ? [] : lines.slice(first);
}
