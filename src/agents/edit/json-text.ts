// JSON as agents read it, with comments and trailing commas. A parser tells where things are; what is put there is ours, because its
// own way of changing a text formats what is around the change.
import { findNodeAtLocation, getNodeValue, parseTree, type Node, type ParseError } from "jsonc-parser";
import type { Entry } from "../agent.ts";
import { applyEdits, lineAt, lineEnd, restOf, TextFault, type ConfigText, type Edit } from "./config-text.ts";
import { isAloneOnLine, JsonStyle } from "./json-style.ts";
import { commaAfter, commaBefore, endOfRemarks, lastRemarkEnd } from "./json-trivia.ts";

export function readJsonText(text: string): ConfigText {
  return new JsonText(text);
}

class JsonText implements ConfigText {
  readonly #text: string;
  readonly #root: Node | undefined;
  readonly #style: JsonStyle;

  constructor(text: string) {
    const errors: ParseError[] = [];
    const root = text.trim() === "" ? undefined : parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    // Only comments: as good as empty.
    const isBlank = root === undefined && lastRemarkEnd(text, 0, text.length) !== undefined;
    if (first !== undefined && !isBlank) throw new TextFault(lineAt(text, first.offset), "this is no JSON");
    if (root !== undefined && root.type !== "object") {
      throw new TextFault(lineAt(text, root.offset), "this is no JSON object");
    }
    this.#text = text;
    this.#root = root;
    this.#style = new JsonStyle(text, root);
  }

  get(path: readonly string[]): unknown {
    const node = this.#find(path);
    // A copy: the parser's objects have no prototype, and would be equal to no other.
    return node === undefined ? undefined : structuredClone(getNodeValue(node) as unknown);
  }

  rest(path: readonly string[]): string {
    const value: unknown = this.#root && getNodeValue(this.#root);
    return restOf(value, path);
  }

  set(path: readonly string[], entry: Entry): string {
    const found = this.#find(path);
    if (found !== undefined) {
      const map = found.parent?.parent;
      const isOneLine = map !== undefined && this.#style.isOneLine(map);
      const indent = isOneLine ? undefined : this.#style.indentAt(found.parent?.offset ?? found.offset);
      return this.#applied([
        { from: found.offset, to: found.offset + found.length, text: this.#style.render(entry, indent) },
      ]);
    }
    const root = this.#root;
    if (root === undefined) return this.#style.document(path, entry);
    // The deepest of the maps that is there gets what is missing.
    let depth = path.length - 1;
    while (this.#find(path.slice(0, depth)) === undefined) depth--;
    const map = this.#find(path.slice(0, depth)) ?? root;
    const value = path.slice(depth + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
    return this.#applied(this.#insertion(map, path[depth] ?? "", value));
  }

  remove(path: readonly string[]): string {
    const property = this.#find(path)?.parent;
    return property === undefined ? this.#text : this.#applied(this.#removal(property));
  }

  /** A whole value or nothing. @throws TextFault for a key on the way that is no object, or is there twice */
  #find(path: readonly string[]): Node | undefined {
    let node = this.#root;
    for (const key of path) {
      if (node === undefined) return undefined;
      if (node.type !== "object")
        throw new TextFault(lineAt(this.#text, node.offset), `"${key}" is in no object`);
      const named = (node.children ?? []).filter(({ children }) => children?.[0]?.value === key);
      if (named.length > 1) {
        throw new TextFault(lineAt(this.#text, named[1]?.offset ?? 0), `"${key}" is there twice`);
      }
      node = findNodeAtLocation(node, [key]);
    }
    return node;
  }

  #insertion(map: Node, key: string, value: unknown): Edit[] {
    const style = this.#style;
    const text = this.#text;
    const close = map.offset + map.length - 1;
    const last = map.children?.at(-1);
    if (style.isOneLine(map)) {
      const property = style.renderProperty(key, value, undefined);
      if (last === undefined) return [{ from: map.offset + 1, to: close, text: property }];
      const end = last.offset + last.length;
      const comma = commaAfter(text, end, close);
      return comma === undefined
        ? [{ from: end, to: end, text: `, ${property}` }]
        : [{ from: comma + 1, to: comma + 1, text: ` ${property},` }];
    }
    const indent = style.indentInside(map);
    const property = `${style.lineBreak}${indent}${style.renderProperty(key, value, indent)}`;
    if (last === undefined) {
      const at = lastRemarkEnd(text, map.offset + 1, close) ?? map.offset + 1;
      const isClosedBelow = text.slice(at, close).includes("\n");
      return isClosedBelow
        ? [{ from: at, to: at, text: property }]
        : [{ from: at, to: close, text: `${property}${style.lineBreak}${style.indentAt(map.offset)}` }];
    }
    const end = last.offset + last.length;
    const comma = commaAfter(text, end, close);
    const at = endOfRemarks(text, comma === undefined ? end : comma + 1);
    if (comma !== undefined) return [{ from: at, to: at, text: `${property},` }];
    return at === end
      ? [{ from: end, to: end, text: `,${property}` }]
      : [
          { from: end, to: end, text: "," },
          { from: at, to: at, text: property },
        ];
  }

  /** The property with its comma, and its lines where nothing else is on them. */
  #removal(property: Node): Edit[] {
    const text = this.#text;
    const map = property.parent;
    const close = map === undefined ? text.length : map.offset + map.length - 1;
    const end = property.offset + property.length;
    const after = commaAfter(text, end, close);
    const to = after === undefined ? end : after + 1;
    const before = after === undefined ? commaBefore(map, property, text) : undefined;
    const isAlone = isAloneOnLine(text, property.offset) && text.slice(to, lineEnd(text, to)).trim() === "";
    const from = isAlone
      ? text.slice(0, property.offset).search(/\r?\n[ \t]*$/)
      : text.slice(0, property.offset).search(/[ \t]*$/);
    const removal = { from: Math.max(from, 0), to, text: "" };
    if (before === undefined) return [removal];
    // The comma before it separates nothing any more. It may stand where the removal begins.
    return before + 1 >= removal.from
      ? [{ ...removal, from: before }]
      : [{ from: before, to: before + 1, text: "" }, removal];
  }

  #applied(edits: readonly Edit[]): string {
    return applyEdits(this.#text, edits);
  }
}
