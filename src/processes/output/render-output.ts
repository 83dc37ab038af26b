// Parts of an output in the form the caller wants.
import type { OutputInput, OutputPiece } from "../../protocol/output.ts";
import { wholeParts } from "./part-boundaries.ts";
import { plainText } from "./plain-text.ts";
import type { OutputPart } from "./read-range.ts";

type Format = OutputInput["format"];

export function renderText(parts: readonly OutputPart[], format: Format): string {
  if (format === "raw") return Buffer.concat(parts.map((part) => part.bytes)).toString("base64");
  const text = wholeParts(parts)
    .map((part) => part.bytes.toString("utf8"))
    .join("");
  return format === "plain" ? plainText(text) : text;
}

export function renderPieces(
  parts: readonly OutputPart[],
  startedAtMs: number,
  format: Format,
): OutputPiece[] {
  return (format === "raw" ? parts : wholeParts(parts)).map((part) => ({
    offset: part.offset,
    at: new Date(startedAtMs + part.timeUs / 1000).toISOString(),
    stream: part.stream,
    text: renderText([part], format),
  }));
}
