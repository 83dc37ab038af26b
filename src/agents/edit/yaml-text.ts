// YAML with one entry changed. The parser tells where things are; the text around stays as it is, which its own rendering would
// lay out anew.
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  parseDocument,
  type Document,
  type Pair,
  type YAMLMap,
} from "yaml";
import type { Entry, EntryValue } from "../agent.ts";
import {
  applyEdits,
  lineAt,
  lineBreakOf,
  lineEnd,
  lineStart,
  nextLine,
  restOf,
  TextFault,
  type ConfigText,
  type Edit,
} from "./config-text.ts";

export function readYamlText(text: string): ConfigText {
  return new YamlText(text);
}

const defaultUnit = "  ";

class YamlText implements ConfigText {
  readonly #text: string;
  readonly #lineBreak: string;
  readonly #document: Document;
  readonly #value: unknown;

  constructor(text: string) {
    this.#text = text;
    this.#lineBreak = lineBreakOf(text);
    this.#document = parseDocument(text);
    const [error] = this.#document.errors;
    if (error !== undefined) throw new TextFault(error.linePos?.[0].line ?? 1, "this is no YAML");
    this.#value = valueOf(this.#document);
  }

  get(path: readonly string[]): unknown {
    let value = this.#value;
    for (const key of path) {
      if (value === undefined || value === null) return undefined;
      if (typeof value !== "object" || Array.isArray(value)) throw this.#fault(0, `"${key}" is in no map`);
      value = (value as Record<string, unknown>)[key]; // an object that is no array
    }
    return value ?? undefined;
  }

  rest(path: readonly string[]): string {
    return restOf(this.#value, path);
  }

  set(path: readonly string[], entry: Entry): string {
    const [group = "", name = ""] = path;
    const root = this.#root();
    if (root === undefined) return this.#appended(`${group}:${this.#lines(name, entry, defaultUnit)}`);
    if (root.flow === true) throw this.#fault(0, "all of it is written in braces");
    const pair = pairOf(root, group);
    if (pair === undefined)
      return this.#applied([this.#below(root, `${group}:${this.#lines(name, entry, defaultUnit)}`)]);
    const servers = this.#serversOf(pair, group);
    if (servers === undefined) return this.#applied([this.#intoNothing(pair, name, entry)]);
    const found = pairOf(servers, name);
    if (found !== undefined) return this.#applied([this.#replacement(servers, found, name, entry)]);
    if (servers.flow === true) return this.#applied([this.#intoFlow(servers, name, entry)]);
    return this.#applied([
      this.#below(servers, this.#lines(name, entry, this.#indentOf(servers)).trimStart()),
    ]);
  }

  remove(path: readonly string[]): string {
    const [group = "", name = ""] = path;
    const pair = pairOf(this.#root(), group);
    const servers = pair && this.#serversOf(pair, group);
    const found = pairOf(servers, name);
    if (pair === undefined || servers === undefined || found === undefined) return this.#text;
    if (servers.flow === true) throw this.#fault(startOf(found), "it is written in braces");
    const to = this.#endOf(found);
    if (servers.items.length > 1) {
      return this.#applied([
        { from: lineStart(this.#text, startOf(found)), to: nextLine(this.#text, to), text: "" },
      ]);
    }
    // A group of nothing is null in YAML, which some agents refuse.
    const colon = this.#text.indexOf(":", endOfKey(pair)) + 1;
    return this.#applied([
      { from: colon, to: colon, text: " {}" },
      { from: lineStart(this.#text, startOf(found)), to: nextLine(this.#text, to), text: "" },
    ]);
  }

  #root(): YAMLMap | undefined {
    const { contents } = this.#document;
    if (contents === null || (isScalar(contents) && contents.value === null)) return undefined;
    if (!isMap(contents)) throw this.#fault(0, "this is no map");
    return contents;
  }

  /** Undefined when the group is there and empty. */
  #serversOf({ value }: Pair, group: string): YAMLMap | undefined {
    if (isMap(value)) return value;
    if (value === null || (isScalar(value) && value.value === null)) return undefined;
    const offset = isNode(value) ? (value.range?.[0] ?? 0) : 0;
    throw this.#fault(offset, isAlias(value) ? `"${group}" is an alias` : `"${group}" is no map`);
  }

  /** Lines, each with a break before it. */
  #lines(name: string, entry: Entry, indent: string): string {
    const inner = indent + defaultUnit;
    const lines = Object.entries(entry).flatMap(([key, value]) => {
      if (!isMapValue(value)) return [`${inner}${keyText(key)}: ${flowText(value)}`];
      const parts = Object.entries(value).map(([inside, part]) => `${keyText(inside)}: ${flowText(part)}`);
      return [`${inner}${keyText(key)}:`, ...parts.map((part) => `${inner}${defaultUnit}${part}`)];
    });
    return [`${indent}${name}:`, ...lines].map((line) => `${this.#lineBreak}${line}`).join("");
  }

  /** Behind the last item of a map, on lines of its own. */
  #below(map: YAMLMap, lines: string): Edit {
    const last = map.items.at(-1);
    const at = lineEnd(this.#text, last === undefined ? 0 : this.#endOf(last));
    return { from: at, to: at, text: `${this.#lineBreak}${this.#indentOf(map)}${lines}` };
  }

  #intoNothing(pair: Pair, name: string, entry: Entry): Edit {
    const lines = this.#lines(name, entry, this.#indentAt(startOf(pair)) + defaultUnit);
    const range = isNode(pair.value) ? pair.value.range : undefined;
    const hasWord = range !== null && range !== undefined && range[1] > range[0];
    if (hasWord) return { from: range[0], to: range[1], text: lines };
    const at = lineEnd(this.#text, endOfKey(pair));
    return { from: at, to: at, text: lines };
  }

  #intoFlow(servers: YAMLMap, name: string, entry: Entry): Edit {
    const [from = 0, to = 0] = servers.range ?? [];
    if (servers.items.length === 0) {
      const blank = /[ \t]*$/.exec(this.#text.slice(0, from))?.[0].length ?? 0;
      return { from: from - blank, to, text: this.#lines(name, entry, this.#indentAt(from) + defaultUnit) };
    }
    const last = servers.items.at(-1);
    const at = last === undefined ? from + 1 : this.#endOf(last);
    return { from: at, to: at, text: `, ${name}: ${JSON.stringify(entry)}` };
  }

  #replacement(servers: YAMLMap, found: Pair, name: string, entry: Entry): Edit {
    if (servers.flow === true) {
      const [from = 0, to = 0] = (isNode(found.value) && found.value.range) || [];
      return { from, to, text: JSON.stringify(entry) };
    }
    const lines = this.#lines(name, entry, this.#indentOf(servers)).slice(this.#lineBreak.length);
    return {
      from: lineStart(this.#text, startOf(found)),
      to: lineEnd(this.#text, this.#endOf(found)),
      text: lines,
    };
  }

  #indentOf(map: YAMLMap): string {
    const [first] = map.items;
    return first === undefined ? "" : this.#indentAt(startOf(first));
  }

  #indentAt(offset: number): string {
    return /^ */.exec(this.#text.slice(lineStart(this.#text, offset)))?.[0] ?? "";
  }

  /** Behind its last character that is no break and no comment. */
  #endOf(pair: Pair): number {
    const end = leafEnd(pair);
    return /\s*$/.exec(this.#text.slice(0, end))?.index ?? end;
  }

  #appended(lines: string): string {
    const text = this.#text;
    const gap = text === "" || text.endsWith("\n") ? "" : this.#lineBreak;
    return `${text}${gap}${lines}${this.#lineBreak}`;
  }

  #applied(edits: readonly Edit[]): string {
    return applyEdits(this.#text, edits);
  }

  #fault(offset: number, reason: string): TextFault {
    return new TextFault(lineAt(this.#text, offset), reason);
  }
}

function valueOf(document: Document): unknown {
  try {
    return document.toJS() as unknown; // typed any by the parser
  } catch (error) {
    // Aliases that would grow without bound.
    throw new TextFault(1, error instanceof Error ? error.message : String(error));
  }
}

function isMapValue(value: EntryValue): value is Readonly<Record<string, string>> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  );
}

/** On one line; JSON is YAML. */
function flowText(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]`
    : JSON.stringify(value);
}

function keyText(key: string): string {
  return /^[A-Za-z_][\w-]*$/.test(key) ? key : JSON.stringify(key);
}

function pairOf(map: YAMLMap | undefined, key: string): Pair | undefined {
  return map?.items.find((item) => isScalar(item.key) && item.key.value === key);
}

function startOf({ key }: Pair): number {
  return isNode(key) ? (key.range?.[0] ?? 0) : 0;
}

function endOfKey({ key }: Pair): number {
  return isNode(key) ? (key.range?.[1] ?? 0) : 0;
}

/** A block map's own range takes in the comments that follow it: its last leaf's does not. */
function leafEnd(part: unknown): number {
  if (isPair(part)) return Math.max(endOfKey(part), part.value === null ? 0 : leafEnd(part.value));
  if (isCollection(part) && part.flow !== true && part.items.length > 0) return leafEnd(part.items.at(-1));
  return isNode(part) ? (part.range?.[1] ?? 0) : 0;
}
