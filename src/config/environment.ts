// The source that is no file: environment variables.
import { nearestName } from "./nearest-name.ts";
import { reservedVariables, variableOf, type KeyTable } from "./keys.ts";
import { give, newLayer, valueOfText, type Layer } from "./layer.ts";

/** An empty variable counts as not set. */
export function readEnvironment(table: KeyTable, environment: NodeJS.ProcessEnv): Layer {
  const layer = newLayer("environment");
  const groupPrefixes = [...table.groups].map((group) => `${variableOf(group)}_`);
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith("HOLDFAST_") || reservedVariables.has(variable) || !text) continue;
    const key = table.byVariable.get(variable);
    if (key !== undefined) {
      give(layer, key, { value: valueOfText(key, text), file: variable, line: null });
      continue;
    }
    // Only a name in one of our groups is surely a mistake: programs around Holdfast have variables of their own.
    if (!groupPrefixes.some((prefix) => variable.startsWith(prefix))) continue;
    const nearest = nearestName(variable, [...table.byVariable.keys()]);
    const hint = nearest === undefined ? "" : `; perhaps ${nearest} is meant`;
    layer.problems.push({ file: variable, line: null, key: "", message: `no key has this variable${hint}` });
  }
  return layer;
}
