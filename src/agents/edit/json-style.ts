// How a JSON text is laid out, and values laid out in the same way.
import type { Node } from "jsonc-parser";
import type { Entry } from "../agent.ts";
import { lineBreakOf, lineStart } from "./config-text.ts";

const defaultUnit = "  ";

/** Does nothing but white space stand before it on its line? */
export function isAloneOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "" && text.slice(0, offset).includes("\n");
}

export class JsonStyle {
  readonly lineBreak: string;
  readonly #text: string;
  readonly #unit: string;
  readonly #isOneLine: boolean;

  constructor(text: string, root: Node | undefined) {
    this.#text = text;
    this.lineBreak = lineBreakOf(text);
    const first = root?.children?.[0];
    const indent = first && isAloneOnLine(text, first.offset) ? this.indentAt(first.offset) : "";
    this.#unit = indent === "" ? defaultUnit : indent;
    this.#isOneLine =
      first !== undefined &&
      !text.slice(root?.offset, (root?.offset ?? 0) + (root?.length ?? 0)).includes("\n");
  }

  /** White space at the beginning of the line. */
  indentAt(offset: number): string {
    return /^[ \t]*/.exec(this.#text.slice(lineStart(this.#text, offset), offset))?.[0] ?? "";
  }

  /** Of the properties of an object. */
  indentInside(map: Node): string {
    const last = map.children?.at(-1);
    return last && isAloneOnLine(this.#text, last.offset)
      ? this.indentAt(last.offset)
      : this.indentAt(map.offset) + this.#unit;
  }

  /** Is the object written on one line, and not only because it is empty? */
  isOneLine(map: Node): boolean {
    if (this.#isOneLine) return true;
    const hasProperties = (map.children?.length ?? 0) > 0;
    return hasProperties && !this.#text.slice(map.offset, map.offset + map.length).includes("\n");
  }

  /** @param indent of the line it stands on; undefined: all on one line */
  renderProperty(key: string, value: unknown, indent: string | undefined): string {
    return `${JSON.stringify(key)}: ${this.render(value, indent)}`;
  }

  render(value: unknown, indent: string | undefined): string {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
    const inner = indent === undefined ? undefined : indent + this.#unit;
    const properties = Object.entries(value).map(([key, part]) => this.renderProperty(key, part, inner));
    if (inner === undefined) return `{ ${properties.join(", ")} }`;
    const lines = properties.map((property) => `${this.lineBreak}${inner}${property}`).join(",");
    return `{${lines}${this.lineBreak}${indent}}`;
  }

  /** A text that has no values yet, with the entry. */
  document(path: readonly string[], entry: Entry): string {
    const value = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
    const rendered = `${this.render(value, "")}${this.lineBreak}`;
    const comments = this.#text.trimEnd();
    return comments === "" ? rendered : `${comments}${this.lineBreak}${rendered}`;
  }
}
