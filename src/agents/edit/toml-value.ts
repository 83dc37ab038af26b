// One value of a TOML text, and where it ends.
import { lineAt, TextFault } from "./config-text.ts";

export interface TomlValue {
  readonly value: unknown;
  /** Behind its last character. */
  readonly to: number;
}

const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\u001b",
  '"': '"',
  "\\": "\\",
};
const bareValue = /[^\s,\]}#]+(?: \d\d:[^\s,\]}#]+)?/y; // a date and its time may have a space between them

/** Behind white space, line breaks and comments. */
export function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (/\s/.test(text[at] ?? "")) at++;
    if (text[at] !== "#") return at;
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end;
  }
}

/** @throws TextFault */
export function readTomlValue(text: string, from: number): TomlValue {
  const first = text[from];
  if (first === '"' || first === "'") return readString(text, from, first);
  if (first === "[") return readList(text, from);
  if (first === "{") return readInlineTable(text, from);
  bareValue.lastIndex = from;
  const [word] = bareValue.exec(text) ?? [];
  if (word === undefined) throw fault(text, from, "a value is missing");
  return { value: plainValue(word), to: from + word.length };
}

/** Dates stay words: nothing here looks at them. */
function plainValue(word: string): unknown {
  if (word === "true" || word === "false") return word === "true";
  return /^[+-]?\d[\d_]*$/.test(word) ? Number(word.replaceAll("_", "")) : word;
}

function readString(text: string, from: number, quote: string): TomlValue {
  const isLong = text.startsWith(quote.repeat(3), from);
  const mark = isLong ? quote.repeat(3) : quote;
  const begin = from + mark.length;
  for (let at = begin; at < text.length; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (!isLong && text[at] === "\n") break;
    else if (text.startsWith(mark, at)) {
      // A long string may end in one or two quotes of its own.
      const own = isLong ? (/^["']{0,2}/.exec(text.slice(at + mark.length, at + 5))?.[0].length ?? 0) : 0;
      const raw = text.slice(begin, at + own);
      return { value: quote === '"' ? unescape(raw) : raw, to: at + own + mark.length };
    }
  }
  throw fault(text, from, "this string has no end");
}

function unescape(raw: string): string {
  return raw.replaceAll(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.))/gs, (...parts) => {
    const [, short, long, byte, letter] = parts as (string | undefined)[];
    const digits = short ?? long ?? byte;
    const code = digits === undefined ? undefined : Number.parseInt(digits, 16);
    if (code !== undefined) return code <= 0x10ffff ? String.fromCodePoint(code) : "";
    return escapes[letter ?? ""] ?? "";
  });
}

function readList(text: string, from: number): TomlValue {
  const value: unknown[] = [];
  for (let at = skipBlank(text, from + 1); at < text.length; at = skipBlank(text, at)) {
    if (text[at] === "]") return { value, to: at + 1 };
    const item = readTomlValue(text, at);
    value.push(item.value);
    at = skipBlank(text, item.to);
    if (text[at] === ",") at++;
    else if (text[at] !== "]") throw fault(text, from, "this list has no end");
  }
  throw fault(text, from, "this list has no end");
}

const inlineKey =
  /(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'))*/y;

/** Dotted keys in it are kept as they are written: nothing here looks into them. */
function readInlineTable(text: string, from: number): TomlValue {
  const value: Record<string, unknown> = {};
  for (let at = skipBlank(text, from + 1); at < text.length; at = skipBlank(text, at)) {
    if (text[at] === "}") return { value, to: at + 1 };
    inlineKey.lastIndex = at;
    const [key] = inlineKey.exec(text) ?? [];
    if (key === undefined) throw fault(text, at, "this table has no end");
    at = skipBlank(text, at + key.length);
    if (text[at] !== "=") throw fault(text, at, "a value is missing");
    const item = readTomlValue(text, skipBlank(text, at + 1));
    value[/^["']/.test(key) ? key.slice(1, -1) : key] = item.value;
    at = skipBlank(text, item.to);
    if (text[at] === ",") at++;
    else if (text[at] !== "}") throw fault(text, from, "this table has no end");
  }
  throw fault(text, from, "this table has no end");
}

function fault(text: string, offset: number, reason: string): TextFault {
  return new TextFault(lineAt(text, offset), reason);
}
