// Keys that need a restart keep the value in force until then.
import { isDeepStrictEqual } from "node:util";
import { configTable } from "./keys.ts";
import { freeze, setAtPath, valueAtPath } from "./resolve.ts";
import type { Config } from "./schema.ts";

/** The new values, but of keys that need a restart the ones in force. */
export function holdPending(inForce: Config, configured: Config): Config {
  const values = structuredClone(configured);
  for (const { path, needsRestart } of configTable.keys.values()) {
    if (needsRestart) setAtPath(values, path, structuredClone(valueAtPath(inForce, path)));
  }
  return freeze(values);
}

export function keysThatDiffer(one: Config, other: Config): string[] {
  return [...configTable.keys.values()]
    .filter(({ path }) => !isDeepStrictEqual(valueAtPath(one, path), valueAtPath(other, path)))
    .map(({ name }) => name);
}
