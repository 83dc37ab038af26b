// The two sources that are no files: environment variables and the command line.
import { nearestName } from "./nearest-name.ts";
import { reservedVariables, variableOf, whyUnknown, type KeyTable } from "./keys.ts";
import { give, newLayer, valueOfText, type Layer } from "./layer.ts";

const commandLine = "the command line";

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

/** Values by key name, as texts or as what they mean. Undefined and null count as not given. */
export function readFlags(table: KeyTable, flags: Readonly<Record<string, unknown>>): Layer {
  const layer = newLayer("flag");
  for (const [name, flag] of Object.entries(flags)) {
    const key = table.keys.get(name);
    if (key === undefined) {
      const message = whyUnknown(table, name);
      layer.problems.push({ file: commandLine, line: null, key: name, message });
    } else if (flag !== undefined && flag !== null) {
      const value = typeof flag === "string" ? valueOfText(key, flag) : flag;
      give(layer, key, { value, file: commandLine, line: null });
    }
  }
  return layer;
}
