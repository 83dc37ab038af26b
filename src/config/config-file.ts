// A holdfast.yaml: read, and taken apart into the values of keys with their lines.
import { readFileSync, statSync } from "node:fs";
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document, type Pair } from "yaml";
import { whyUnknown, type KeyTable } from "./keys.ts";
import { give, newLayer, type Layer } from "./layer.ts";

export const configFileName = "holdfast.yaml";

// A configuration has a few kilobytes; what is larger is another file by mistake, and must not hold up a live reload.
const largestFileBytes = 1_048_576;

/** The text of a file, undefined when there is none; or why it cannot be read. */
export type FileContent = { readonly text: string | undefined } | { readonly unreadable: string };

export function readConfigFile(file: string): FileContent {
  try {
    const facts = statSync(file, { throwIfNoEntry: false });
    if (facts === undefined) return { text: undefined };
    if (!facts.isFile()) return { unreadable: "this is not a file" };
    if (facts.size > largestFileBytes) return { unreadable: `it is larger than ${largestFileBytes} bytes` };
    return { text: readFileSync(file, "utf8") };
  } catch (error) {
    return { unreadable: `it cannot be read: ${messageOf(error)}` };
  }
}

export interface ConfigFile {
  readonly file: string;
  readonly source: "home" | "project";
  readonly content: FileContent;
}

/** The values of a file. A file with a fault in its YAML gives its faults and no values. */
export function readFileLayer(table: KeyTable, { file, source, content }: ConfigFile): Layer {
  const layer = newLayer(source);
  if ("unreadable" in content) {
    layer.problems.push({ file, line: null, key: "", message: content.unreadable });
  } else if (content.text !== undefined) {
    const lines = new LineCounter();
    // Pretty messages repeat the line and draw an arrow below it.
    const document = parseDocument(content.text, { lineCounter: lines, prettyErrors: false });
    const faults = [...document.errors, ...document.warnings];
    for (const fault of faults) {
      const { line } = lines.linePos(fault.pos[0]);
      layer.problems.push({
        file,
        line,
        key: "",
        message: `this is not the YAML expected: ${fault.message}`,
      });
    }
    if (faults.length === 0) readDocument({ table, layer, file, document, lines });
  }
  return layer;
}

interface Reading {
  readonly table: KeyTable;
  readonly layer: Layer;
  readonly file: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

interface Place {
  readonly name: string;
  readonly line: number;
}

function readDocument(reading: Reading): void {
  const { contents } = reading.document;
  if (isMap(contents)) for (const pair of contents.items) readPair(reading, pair, "");
  else if (!isNothing(contents))
    tell(reading, { name: "", line: 1 }, "a mapping of keys to values is expected");
}

function readPair(reading: Reading, pair: Pair, prefix: string): void {
  const { table, lines } = reading;
  const { line } = lines.linePos((isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? 0);
  const last = isScalar(pair.key) ? String(pair.key.value) : "?";
  const name = prefix + last;
  const at = { name, line };
  if (last.includes(".")) {
    // Only nesting makes a path, so that a key stands in a file in one way.
    tell(reading, at, table.keys.has(name) ? "nest it, one level per dot" : whyUnknown(table, name));
  } else if (table.keys.has(name)) {
    readValue(reading, pair, at);
  } else if (!table.groups.has(name)) {
    tell(reading, at, whyUnknown(table, name));
  } else if (isMap(pair.value)) {
    for (const inner of pair.value.items) readPair(reading, inner, `${name}.`);
  } else if (!isNothing(pair.value)) {
    tell(reading, at, whyUnknown(table, name));
  }
}

function readValue(reading: Reading, pair: Pair, at: Place): void {
  const key = reading.table.keys.get(at.name);
  // A key whose value is commented out is not given.
  if (key === undefined || isNothing(pair.value)) return;
  if (reading.layer.source === "project" && key.mayProjectSet !== true) {
    tell(reading, at, "a project cannot set this key; it belongs into the home's file");
    return;
  }
  try {
    const value: unknown = isNode(pair.value) ? pair.value.toJS(reading.document) : pair.value;
    give(reading.layer, key, { value, file: reading.file, line: at.line });
  } catch (error) {
    // An alias of nothing, or of so much that it would fill the memory.
    tell(reading, at, messageOf(error));
  }
}

/** Is this an empty place in a file? Reads as null; an alias of null does not, and is refused by the schema. */
export function isNothing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

function tell({ layer, file }: Reading, { name, line }: Place, message: string): void {
  layer.problems.push({ file, line, key: name, message });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
