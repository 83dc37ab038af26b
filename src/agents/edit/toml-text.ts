// TOML with one table changed. A table is put at the end, or where the old one stood; everything else stays as it is.
import type { Entry } from "../agent.ts";
import {
  applyEdits,
  lineAt,
  lineBreakOf,
  lineEnd,
  lineStart,
  nextLine,
  TextFault,
  type ConfigText,
} from "./config-text.ts";
import { scanToml, type TomlStatement } from "./toml-scan.ts";

export function readTomlText(text: string): ConfigText {
  return new TomlText(text);
}

class TomlText implements ConfigText {
  readonly #text: string;
  readonly #lineBreak: string;
  readonly #statements: readonly TomlStatement[];

  constructor(text: string) {
    this.#text = text;
    this.#lineBreak = lineBreakOf(text);
    this.#statements = scanToml(text);
  }

  get(path: readonly string[]): unknown {
    const own = this.#of(path);
    if (own.length === 0) return undefined;
    const entry: Record<string, unknown> = {};
    for (const { kind, path: keys, value } of own) {
      if (kind === "pair") put(entry, keys.slice(path.length), value);
    }
    return entry;
  }

  rest(path: readonly string[]): string {
    const own = new Set(this.#of(path));
    const others = this.#statements.filter((statement) => !own.has(statement));
    return JSON.stringify(others.map(({ kind, path: keys, value }) => [kind, keys, value]));
  }

  set(path: readonly string[], entry: Entry): string {
    const own = this.#tablesOf(path);
    const lines = [
      `[${path.map(keyText).join(".")}]`,
      ...Object.entries(entry).map(([key, value]) => `${keyText(key)} = ${valueText(value)}`),
    ];
    const table = lines.join(this.#lineBreak);
    const [first, ...others] = own;
    if (first === undefined) return this.#appended(table);
    const from = lineStart(this.#text, first.from);
    return applyEdits(this.#text, [
      { from, to: lineEnd(this.#text, first.to), text: table },
      ...others.map((part) => this.#removal(part)),
    ]);
  }

  remove(path: readonly string[]): string {
    return applyEdits(
      this.#text,
      this.#tablesOf(path).map((part) => this.#removal(part)),
    );
  }

  #of(path: readonly string[]): TomlStatement[] {
    return this.#statements.filter(({ path: keys }) => path.every((key, index) => keys[index] === key));
  }

  /** The stretches its tables take up. @throws TextFault when it is written in another way */
  #tablesOf(path: readonly string[]): { readonly from: number; readonly to: number }[] {
    const inline = this.#statements.find((statement) => isInlinePart(statement, path));
    if (inline !== undefined) {
      const reason = `"${inline.path.join(".")}" is not written as a table of its own`;
      throw new TextFault(lineAt(this.#text, inline.from), reason);
    }
    const stretches: { from: number; to: number }[] = [];
    for (const { kind, from, to } of this.#of(path)) {
      const open = stretches.at(-1);
      if (kind === "pair" && open !== undefined) open.to = to;
      else stretches.push({ from, to });
    }
    return stretches;
  }

  /** Whole lines, and the empty one before them. */
  #removal({ from, to }: { readonly from: number; readonly to: number }): {
    from: number;
    to: number;
    text: string;
  } {
    const begin = lineStart(this.#text, from);
    const above = /(\r?\n)\r?\n$/.exec(this.#text.slice(0, begin));
    return {
      from: above === null ? begin : begin - above[0].length + (above[1]?.length ?? 0),
      to: nextLine(this.#text, to),
      text: "",
    };
  }

  #appended(table: string): string {
    const text = this.#text;
    if (text.trim() === "") return `${text}${table}${this.#lineBreak}`;
    const gap = text.endsWith("\n") ? "" : this.#lineBreak;
    return `${text}${gap}${this.#lineBreak}${table}${this.#lineBreak}`;
  }
}

/** Does it say something of what is at these keys, or of a map on the way, in another way than by a table's header? */
function isInlinePart({ kind, path: keys, table }: TomlStatement, path: readonly string[]): boolean {
  const isOnTheWay = keys.every((key, index) => index >= path.length || key === path[index]);
  if (!isOnTheWay || kind === "table") return false;
  return kind === "array" ? keys.length <= path.length : table.length < path.length;
}

function put(entry: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  const [key = "", ...inner] = keys;
  if (inner.length === 0) entry[key] = value;
  else {
    const map = (entry[key] ??= {});
    if (typeof map === "object" && map !== null) put(map as Record<string, unknown>, inner, value); // made one line above, or a table
  }
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** JSON's strings are TOML's; its objects are not. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, part]) => `${keyText(key)} = ${valueText(part)}`);
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}
