// TOML as a list of statements with their places: enough to find one table, to read what it says, and to leave the rest alone.
import { lineAt, lineEnd, TextFault } from "./config-text.ts";
import { readTomlValue, skipBlank } from "./toml-value.ts";

export interface TomlStatement {
  /** A table's header, an array of tables' header, or a key with its value. */
  readonly kind: "table" | "array" | "pair";
  /** Of a pair: with the path of the table it is in. */
  readonly path: readonly string[];
  /** Of a pair: of the table it is in. */
  readonly table: readonly string[];
  readonly from: number;
  /** Behind the last character of the header or the value. */
  readonly to: number;
  readonly value?: unknown;
}

const bareKey = /[A-Za-z0-9_-]+/y;

/** @throws TextFault */
export function scanToml(text: string): TomlStatement[] {
  const statements: TomlStatement[] = [];
  let table: readonly string[] = [];
  for (let at = skipBlank(text, 0); at < text.length; at = skipBlank(text, at)) {
    const statement = text[at] === "[" ? readHeader(text, at) : readPair(text, at, table);
    statements.push(statement);
    if (statement.kind !== "pair") table = statement.path;
    at = statement.to;
    const left = text.slice(at, lineEnd(text, at)).trim();
    if (left !== "" && !left.startsWith("#")) throw fault(text, at, "this is no TOML");
  }
  return statements;
}

function readHeader(text: string, from: number): TomlStatement {
  const isArray = text[from + 1] === "[";
  const { path, to } = readPath(text, from + (isArray ? 2 : 1));
  const close = isArray ? "]]" : "]";
  if (!text.startsWith(close, to)) throw fault(text, from, "this header has no end");
  return { kind: isArray ? "array" : "table", path, table: path, from, to: to + close.length };
}

function readPair(text: string, from: number, table: readonly string[]): TomlStatement {
  const { path, to: end } = readPath(text, from);
  if (text[end] !== "=") throw fault(text, from, "this is no TOML");
  const { value, to } = readTomlValue(text, skipSpaces(text, end + 1));
  return { kind: "pair", path: [...table, ...path], table, from, to, value };
}

/** A dotted key, and the first character behind it that is no space. */
function readPath(text: string, from: number): { readonly path: string[]; readonly to: number } {
  const path: string[] = [];
  for (let at = skipSpaces(text, from); ; at = skipSpaces(text, at + 1)) {
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const { value, to } = readTomlValue(text, at);
      path.push(String(value));
      at = skipSpaces(text, to);
    } else {
      bareKey.lastIndex = at;
      const [key] = bareKey.exec(text) ?? [];
      if (key === undefined) throw fault(text, at, "this is no TOML");
      path.push(key);
      at = skipSpaces(text, at + key.length);
    }
    if (text[at] !== ".") return { path, to: at };
  }
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

function fault(text: string, offset: number, reason: string): TextFault {
  return new TextFault(lineAt(text, offset), reason);
}
