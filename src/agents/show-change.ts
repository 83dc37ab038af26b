// A change as a person sees it before it is made: our entry alone, never what else the file has.
import type { Entry, EntryValue, Format } from "./agent.ts";
import { readJsonText } from "./edit/json-text.ts";
import { readTomlText } from "./edit/toml-text.ts";
import { readYamlText } from "./edit/yaml-text.ts";
import type { Change } from "./plan-change.ts";

const hidden = "(not shown)";
// What users put there besides may be a token; our own variable is a path.
const shownVariable = "HOLDFAST_HOME";
const variableKeys: ReadonlySet<string> = new Set(["env", "envs", "environment", "headers"]);

/** Lines that begin with "- " or "+ "; none when there is nothing to do. */
export function showChange({ agent, path, before, after, text }: Change): string[] {
  if (text === undefined) return [];
  const name = path.at(-1) ?? "";
  const lines = (entry: Entry | undefined): string[] =>
    entry === undefined ? [] : rendered(agent.format, name, path, withoutSecrets(entry));
  return [...lines(before).map((line) => `- ${line}`), ...lines(after).map((line) => `+ ${line}`)];
}

/** The entry as the file has it. */
export function rendered(format: Format, name: string, path: readonly string[], entry: Entry): string[] {
  const texts = {
    json: () =>
      readJsonText("")
        .set([name], entry)
        .split("\n")
        .slice(1, -2)
        .map((line) => line.slice(2)),
    yaml: () =>
      readYamlText("")
        .set(["", name], entry)
        .split("\n")
        .slice(1, -1)
        .map((line) => line.slice(2)),
    toml: () => readTomlText("").set(path, entry).split("\n").slice(0, -1),
  };
  return texts[format]();
}

function withoutSecrets(entry: Entry): Entry {
  const entries = Object.entries(entry).map(([key, value]): [string, EntryValue] => {
    const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!variableKeys.has(key) || !isMap) return [key, value];
    const parts = Object.entries(value).map(([name, text]) => [name, name === shownVariable ? text : hidden]);
    return [key, Object.fromEntries(parts) as Record<string, string>]; // names and texts
  });
  return Object.fromEntries(entries);
}
