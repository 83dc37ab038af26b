// What would be done to an agent's file, worked out before anybody is asked.
import { isDeepStrictEqual } from "node:util";
import type { Agent, Entry, EntryForm, ServerCommand } from "./agent.ts";
import type { ConfigText } from "./edit/config-text.ts";
import { TextFault } from "./edit/config-text.ts";
import { inWords, readFile, readText, type StoredFile } from "./read-file.ts";

/** The name of our entry everywhere. */
export const entryName = "holdfast";

export interface Change {
  readonly agent: Agent;
  readonly stored: StoredFile;
  /** What the file has under our name: nothing, what it should, or something else. */
  readonly state: "missing" | "current" | "different";
  /** The keys that lead to the entry. */
  readonly path: readonly string[];
  readonly before: Entry | undefined;
  /** Undefined when it is to be removed. */
  readonly after: Entry | undefined;
  /** The file's text afterwards; undefined when there is nothing to do. */
  readonly text: string | undefined;
}

/** The entry is there, with this command. @throws HoldfastError AGENT_CONFIG_INVALID, SYSTEM_ERROR */
export function planWrite(agent: Agent, file: string, command: ServerCommand): Change {
  const stored = readFile(file);
  const config = readText(file, agent.format, stored.text);
  const form = formOf(agent, file, config);
  const path = [...form.path, entryName];
  const before = inWords(file, () => entryAt(config, path));
  const wanted = form.entry(command);
  if (before === undefined) {
    const after = { ...wanted, ...form.initial };
    return {
      agent,
      stored,
      path,
      before,
      after,
      state: "missing",
      text: changed(agent, stored, config, path, after),
    };
  }
  if (includes(before, wanted))
    return { agent, stored, path, before, after: before, state: "current", text: undefined };
  const after = merged(before, wanted);
  return {
    agent,
    stored,
    path,
    before,
    after,
    state: "different",
    text: changed(agent, stored, config, path, after),
  };
}

/** The entry is not there. @throws HoldfastError AGENT_CONFIG_INVALID, SYSTEM_ERROR */
export function planRemoval(agent: Agent, file: string): Change {
  const stored = readFile(file);
  const config = readText(file, agent.format, stored.text);
  const form = formOf(agent, file, config);
  const path = [...form.path, entryName];
  const before = inWords(file, () => entryAt(config, path));
  const text = before === undefined ? undefined : changed(agent, stored, config, path, undefined);
  return {
    agent,
    stored,
    path,
    before,
    after: undefined,
    state: before === undefined ? "missing" : "current",
    text,
  };
}

function formOf({ form, newerForm }: Agent, file: string, config: ConfigText): EntryForm {
  if (newerForm === undefined) return form;
  const group = inWords(file, () => config.get(newerForm.path));
  // In the older form a server could have this name: then it says of what type it is.
  const isGroup = typeof group === "object" && group !== null && !("type" in group);
  return isGroup ? newerForm : form;
}

function entryAt(config: ConfigText, path: readonly string[]): Entry | undefined {
  const found = config.get(path);
  if (found === undefined) return undefined;
  const isMap = typeof found === "object" && found !== null && !Array.isArray(found);
  return isMap ? (found as Entry) : { "": JSON.stringify(found) }; // whatever a file can hold; it is only compared, shown and replaced
}

/** The new text, proven: read again it has the entry, and everything else it had. */
function changed(
  agent: Agent,
  stored: StoredFile,
  config: ConfigText,
  path: readonly string[],
  after: Entry | undefined,
): string {
  return inWords(stored.path, () => {
    const text = after === undefined ? config.remove(path) : config.set(path, after);
    const again = readText(stored.path, agent.format, text);
    const isProven = isDeepStrictEqual(again.get(path), after) && again.rest(path) === config.rest(path);
    if (!isProven) throw new TextFault(1, "it is written in a way that only its author can change");
    return text;
  });
}

/** Has it everything that is wanted, whatever else it has? */
function includes(has: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null || Array.isArray(wanted))
    return isDeepStrictEqual(has, wanted);
  if (typeof has !== "object" || has === null) return false;
  return Object.entries(wanted).every(([key, value]) =>
    includes((has as Record<string, unknown>)[key], value),
  ); // an object
}

/** What the user set besides stays. */
function merged(before: Entry, wanted: Entry): Entry {
  const entries = Object.entries(wanted).map(([key, value]) => {
    const old = before[key];
    const areMaps = [old, value].every((one) => typeof one === "object" && !Array.isArray(one));
    return [key, areMaps ? { ...(old as object), ...(value as object) } : value]; // both are maps
  });
  const { "": _odd, ...kept } = before;
  return { ...kept, ...(Object.fromEntries(entries) as Entry) }; // keys and values of an entry
}
