// What stands between the values of a JSON text: commas and comments.
import { createScanner, type Node } from "jsonc-parser";

// Of the scanner's tokens; its own enumeration is none that a file of its own can use.
const token = { comma: 5, lineComment: 12, blockComment: 13, end: 17 } as const;

/** Offset of the first comma in a stretch without values. */
export function commaAfter(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  const isComma = (scanner.scan() as number) === token.comma;
  return isComma && scanner.getTokenOffset() < to ? scanner.getTokenOffset() : undefined;
}

/** Offset of the comma that separates a property from the one before it. */
export function commaBefore(map: Node | undefined, property: Node, text: string): number | undefined {
  const siblings = map?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  return previous && commaAfter(text, previous.offset + previous.length, property.offset);
}

/** Behind the last comment in a stretch without values; undefined when it has none. */
export function lastRemarkEnd(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let end: number | undefined;
  for (let kind = scanner.scan() as number; kind !== token.end; kind = scanner.scan() as number) {
    if (scanner.getTokenOffset() >= to) break;
    if (kind === token.lineComment || kind === token.blockComment) end = scanner.getPosition();
  }
  return end;
}

/** Behind the comments that follow on the same line: they are about what stands before them. */
export function endOfRemarks(text: string, from: number): number {
  const remarks = /^(?:[ \t]*\/\*[^\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(text.slice(from))?.[0] ?? "";
  return from + remarks.length;
}
