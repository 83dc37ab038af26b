// What models send instead of what was asked for: numbers and booleans as text, one thing instead of a list, null for
// nothing. Taken for what it means; what means nothing is left for the schema to refuse.
import { z } from "zod";

const truths: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0"].map((word) => [word, false] as const),
]);

function absent(value: unknown): unknown {
  return value === null || value === "" ? undefined : value;
}

function toNumber(value: unknown): unknown {
  if (typeof value !== "string") return absent(value);
  const text = value.trim();
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : absent(text);
}

function toBoolean(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  return typeof value === "string"
    ? (truths.get(value.trim().toLowerCase()) ?? absent(value))
    : absent(value);
}

function toText(value: unknown): unknown {
  return typeof value === "number" || typeof value === "boolean" ? String(value) : absent(value);
}

/** A list of words means that nothing in them is the shell's. */
function toCommand(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return toText(value);
  return absent(value.map(quoted).join(" "));
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function toList(value: unknown): unknown {
  return typeof value === "string" ? (value === "" ? undefined : [value]) : absent(value);
}

/** The schema tells the model the plain type; the coercion happens before it looks. */
export function numberOf<Schema extends z.ZodType>(schema: Schema): z.ZodPreprocess<Schema> {
  return z.preprocess(toNumber, schema);
}

export function booleanOf<Schema extends z.ZodType>(schema: Schema): z.ZodPreprocess<Schema> {
  return z.preprocess(toBoolean, schema);
}

export function textOf<Schema extends z.ZodType>(schema: Schema): z.ZodPreprocess<Schema> {
  return z.preprocess(toText, schema);
}

export function commandOf<Schema extends z.ZodType>(schema: Schema): z.ZodPreprocess<Schema> {
  return z.preprocess(toCommand, schema);
}

export function listOf<Schema extends z.ZodType>(schema: Schema): z.ZodPreprocess<Schema> {
  return z.preprocess(toList, schema);
}
