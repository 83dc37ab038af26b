// One source of values, such as a file: what it gives, where each value stands, and what is wrong with it.
import { inspect } from "node:util";
import { z } from "zod";
import type { ConfigValue, configCheckOutputSchema } from "../protocol/daemon.ts";
import type { ConfigKey } from "./keys.ts";

/** `file` is a file, a variable or the command line; `key` is empty when the file as a whole is meant. */
export type ConfigProblem = z.infer<typeof configCheckOutputSchema>["problems"][number];

export interface GivenValue {
  /** Before the schema has changed it in any way. */
  readonly value: unknown;
  readonly file: string;
  readonly line: number | null;
}

export interface Layer {
  readonly source: ConfigValue["source"];
  readonly given: Map<string, GivenValue>;
  readonly problems: ConfigProblem[];
}

export function newLayer(source: Layer["source"]): Layer {
  return { source, given: new Map(), problems: [] };
}

/** Takes a value into a layer, or its problem. */
export function give(layer: Layer, key: ConfigKey, given: GivenValue): void {
  const message = whyUnusable(key, given.value);
  if (message === undefined) layer.given.set(key.name, given);
  else layer.problems.push({ file: given.file, line: given.line, key: key.name, message });
}

/** Undefined for a value that the key can have. */
export function whyUnusable(key: ConfigKey, value: unknown): string | undefined {
  const issue = key.schema.safeParse(value).error?.issues[0];
  return issue === undefined ? undefined : whyRefused(key, value, issue);
}

/** The reason for people: a schema's issue, with what was given. */
export function whyRefused(
  { isConfidential }: Pick<ConfigKey, "isConfidential">,
  value: unknown,
  issue: z.core.$ZodIssue,
): string {
  const inside = issue.path.length > 0 ? ` at ${issue.path.join(".")}` : "";
  const what = isConfidential === true ? "this value" : summarize(value);
  return `${what} cannot be used${inside}: ${issue.message}`;
}

/** Never the whole of a list: by its aliases a small file can hold one that fills the memory when written out. */
function summarize(value: unknown): string {
  const text =
    typeof value === "object"
      ? inspect(value, { depth: 1, maxArrayLength: 3, breakLength: Infinity })
      : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

export function placeOf({ file, line }: GivenValue): string {
  return line === null ? file : `${file}:${line}`;
}

/** As in `holdfast.yaml:3: output.tailBytes: …`. */
export function renderProblem({ file, line, key, message }: ConfigProblem): string {
  return [line === null ? file : `${file}:${line}`, ...(key === "" ? [] : [key]), message].join(": ");
}

/** The value meant by a text, for keys that are no text: variables and command lines have nothing else. */
export function valueOfText(key: ConfigKey, text: string): unknown {
  const kind = innermost(key.schema).def.type;
  if (kind === "string" || kind === "enum" || kind === "literal") return text;
  // Number() also takes "", "0x10" and " 1 ". What is no plain number stays a text, and the schema refuses it.
  if (kind === "number") return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: the schema says what it wanted instead of a text.
    return text;
  }
}

function innermost(schema: z.ZodType): z.ZodType {
  const wrapped =
    schema instanceof z.ZodDefault || schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  return wrapped ? innermost(schema.unwrap() as z.ZodType) : schema;
}
