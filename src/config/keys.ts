// The list of keys, read off the schema: names, environment variables, defaults.
import { z } from "zod";
import { HoldfastError } from "../protocol/errors.ts";
import { nearestName } from "./nearest-name.ts";
import { keyFacts, type KeyFacts } from "./key.ts";
import { configSchema } from "./schema.ts";

export interface ConfigKey extends KeyFacts {
  /** As in `output.tailBytes`. */
  readonly name: string;
  readonly path: readonly string[];
  readonly schema: z.ZodType;
  readonly default: unknown;
  /** As in `HOLDFAST_OUTPUT_TAIL_BYTES`. */
  readonly variable: string;
}

export interface KeyTable<Schema extends z.ZodObject = z.ZodObject> {
  readonly schema: Schema;
  readonly keys: ReadonlyMap<string, ConfigKey>;
  readonly byVariable: ReadonlyMap<string, ConfigKey>;
  /** Names of groups, as in `output`. */
  readonly groups: ReadonlySet<string>;
}

/** They say where a process runs and for whom; no key may take their names. */
export const reservedVariables: ReadonlySet<string> = new Set([
  // Of the daemon alone, and of no file: it opens the dashboard to everybody.
  "HOLDFAST_DASHBOARD_INSECURE",
  "HOLDFAST_HOME",
  "HOLDFAST_LOCK_DIR",
  "HOLDFAST_RUN",
  "HOLDFAST_SESSION",
  "HOLDFAST_TASK",
  "HOLDFAST_TERMINAL",
  "HOLDFAST_SOFT_NOFILE",
]);

/** `output.tailBytes` gives `HOLDFAST_OUTPUT_TAIL_BYTES`. */
export function variableOf(name: string): string {
  return `HOLDFAST_${name.replaceAll(".", "_").replaceAll(/[A-Z]/g, (capital) => `_${capital}`)}`.toUpperCase();
}

/** @throws HoldfastError INTERNAL for a schema with a key that lacks its facts, or two keys with one variable */
export function describeKeys<Schema extends z.ZodObject>(schema: Schema): KeyTable<Schema> {
  const table = {
    schema,
    keys: new Map<string, ConfigKey>(),
    byVariable: new Map<string, ConfigKey>(),
    groups: new Set<string>(),
  };
  addGroup(table, schema, []);
  return table;
}

interface GrowingTable {
  readonly keys: Map<string, ConfigKey>;
  readonly byVariable: Map<string, ConfigKey>;
  readonly groups: Set<string>;
}

function addGroup(table: GrowingTable, group: z.ZodObject, above: readonly string[]): void {
  for (const [last, schema] of Object.entries(group.shape)) {
    const path = [...above, last];
    const name = path.join(".");
    // zod types the members of an unknown object by its core; ours are all made by `z`.
    const member = schema as z.ZodType;
    const facts = keyFacts.get(member);
    const inner = member instanceof z.ZodPrefault ? member.unwrap() : member;
    if (facts !== undefined) {
      addKey(table, { ...facts, name, path, schema: member, default: member.parse(undefined) });
    } else if (inner instanceof z.ZodObject) {
      table.groups.add(name);
      addGroup(table, inner, path);
    } else {
      throw new HoldfastError("INTERNAL", `The configuration key ${name} has no description.`);
    }
  }
}

function addKey(table: GrowingTable, described: Omit<ConfigKey, "variable">): void {
  const variable = variableOf(described.name);
  const other = reservedVariables.has(variable) ? "a reserved name" : table.byVariable.get(variable)?.name;
  if (other !== undefined) {
    throw new HoldfastError("INTERNAL", `${described.name} has the variable of ${other}: ${variable}.`);
  }
  const added = { ...described, variable };
  table.keys.set(added.name, added);
  table.byVariable.set(variable, added);
}

export const configTable = describeKeys(configSchema);

/** The key of this name. @throws HoldfastError CONFIG_KEY_UNKNOWN, with the name that was perhaps meant */
export function findKey(table: KeyTable, name: string): ConfigKey {
  const found = table.keys.get(name);
  if (found !== undefined) return found;
  throw new HoldfastError("CONFIG_KEY_UNKNOWN", `${name}: ${whyUnknown(table, name)}`, {
    details: { key: name, nearest: nearestName(name, [...table.keys.keys()]) ?? null },
  });
}

/** Why a name is no key, for people. */
export function whyUnknown(table: KeyTable, name: string): string {
  if (table.groups.has(name)) {
    const members = [...table.keys.keys()].filter((other) => other.startsWith(`${name}.`));
    return `this is a group of keys: ${members.join(", ")}`;
  }
  const nearest = nearestName(name, [...table.keys.keys()]);
  return nearest === undefined ? "there is no such key" : `there is no such key; perhaps ${nearest} is meant`;
}
