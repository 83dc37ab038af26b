// From the sources to one configuration: the strongest source of each key wins, and any fault anywhere refuses all.
import type { z } from "zod";
import type { ConfigValue, configExplainOutputSchema } from "../protocol/daemon.ts";
import type { ConfigKey, KeyTable } from "./keys.ts";
import { placeOf, whyRefused, type ConfigProblem, type Layer } from "./layer.ts";
import type { FrozenValues } from "./schema.ts";

export type ConfigExplanation = z.infer<typeof configExplainOutputSchema>;

export interface ResolvedConfig<Schema extends z.ZodObject> {
  readonly config: FrozenValues<Schema>;
  /** Of every key, in the order of the schema. */
  readonly explanations: ReadonlyMap<string, ConfigExplanation>;
}

export type Resolution<Schema extends z.ZodObject> =
  | { readonly resolved: ResolvedConfig<Schema>; readonly problems: readonly [] }
  | { readonly resolved: undefined; readonly problems: readonly ConfigProblem[] };

/** Layers stand strongest first. */
export function resolveLayers<Schema extends z.ZodObject>(
  table: KeyTable<Schema>,
  layers: readonly Layer[],
): Resolution<Schema> {
  const problems = layers.flatMap((layer) => layer.problems);
  if (problems.length > 0) return { resolved: undefined, problems };
  const whole = table.schema.safeParse(assemble(table, layers));
  if (!whole.success) {
    const issues = whole.error.issues.map((issue) => blame(table, issue, layers));
    return { resolved: undefined, problems: issues };
  }
  // The schema has just made these values; freezing only adds `readonly`.
  const config = freeze(whole.data) as FrozenValues<Schema>;
  const explanations = [...table.keys.values()].map((key) => explain(key, { config, layers }));
  return { resolved: { config, explanations: new Map(explanations) }, problems: [] };
}

function assemble(table: KeyTable, layers: readonly Layer[]): Record<string, unknown> {
  const values = {};
  for (const key of table.keys.values()) {
    const winner = layers.find((layer) => layer.given.has(key.name))?.given.get(key.name);
    if (winner !== undefined) setAtPath(values, key.path, winner.value);
  }
  return values;
}

/** A fault that only the whole has, such as two keys that do not fit together, is told at the key the schema names. */
function blame(table: KeyTable, issue: z.core.$ZodIssue, layers: readonly Layer[]): ConfigProblem {
  const name = issue.path.join(".");
  const key = table.keys.get(name);
  const given = layers.map((layer) => layer.given.get(name)).find((value) => value !== undefined);
  const message =
    given === undefined || key === undefined
      ? issue.message
      : whyRefused(key, given.value, { ...issue, path: [] });
  return { file: given?.file ?? "default", line: given?.line ?? null, key: name, message };
}

interface Outcome {
  readonly config: unknown;
  readonly layers: readonly Layer[];
}

function explain(key: ConfigKey, { config, layers }: Outcome): [string, ConfigExplanation] {
  const { name, description, variable, needsRestart } = key;
  const fallback = { value: key.default, source: "default" as ConfigValue["source"], place: "default" };
  const candidates = layers.flatMap(({ source, given }) => {
    const value = given.get(name);
    return value === undefined ? [] : [{ value: value.value, source, place: placeOf(value) }];
  });
  const { source, place } = candidates[0] ?? fallback;
  const value = valueAtPath(config, key.path);
  const told = { key: name, value, source, place, default: key.default, description, variable, needsRestart };
  return [name, { ...told, candidates: [...candidates, fallback] }];
}

export function valueAtPath(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], values);
}

/** Makes the objects on the way where they are missing. */
export function setAtPath(values: object, path: readonly string[], value: unknown): void {
  let inner = values as Record<string, unknown>;
  for (const name of path.slice(0, -1)) inner = (inner[name] ??= {}) as Record<string, unknown>;
  inner[path.at(-1) ?? ""] = value;
}

export function freeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) freeze(inner);
    Object.freeze(value);
  }
  return value;
}
