// Which processes are shown. The address of the page carries it, so that a view can be kept and sent.
import type { ListedProcess } from "#protocol/control.ts";
import { toneOf } from "~/util/exit-text.ts";

export const stateChoices = {
  any: "Any state",
  living: "Not ended",
  starting: "Starting",
  running: "Running",
  stopping: "Stopping",
  ended: "Ended",
  failed: "Ended badly",
} as const;
export type StateChoice = keyof typeof stateChoices;

export interface ProcessFilters {
  readonly state: StateChoice;
  readonly text: string;
  readonly session: string;
  /** `key` or `key=value`. */
  readonly label: string;
}

export const noFilters: ProcessFilters = { state: "any", text: "", session: "", label: "" };

const names = { state: "state", text: "q", session: "session", label: "label" } as const;

export function readFilters(search: URLSearchParams): ProcessFilters {
  const state = search.get(names.state) ?? "";
  return {
    state: Object.hasOwn(stateChoices, state) ? (state as StateChoice) : "any", // just proven
    text: search.get(names.text) ?? "",
    session: search.get(names.session) ?? "",
    label: search.get(names.label) ?? "",
  };
}

/** What else the address carries stays. */
export function writeFilters(search: URLSearchParams, filters: ProcessFilters): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [field, name] of Object.entries(names) as [keyof ProcessFilters, string][]) {
    const value = filters[field];
    if (value === noFilters[field]) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

export function hasFilters(filters: ProcessFilters): boolean {
  return Object.entries(noFilters).some(([field, value]) => filters[field as keyof ProcessFilters] !== value);
}

export function endedBadly(process: ListedProcess): boolean {
  return process.state === "ended" && toneOf(process) === "bad";
}

const byState: Record<StateChoice, (process: ListedProcess) => boolean> = {
  any: () => true,
  living: ({ state }) => state !== "ended",
  starting: ({ state }) => state === "starting",
  running: ({ state }) => state === "running",
  stopping: ({ state }) => state === "stopping",
  ended: ({ state }) => state === "ended",
  failed: endedBadly,
};

/** A function for many processes: what depends on the filters alone is done once. */
export function matcherOf(filters: ProcessFilters): (process: ListedProcess) => boolean {
  const words = filters.text.toLowerCase().split(/\s+/).filter(Boolean);
  const [label = "", ...value] = filters.label.split("=");
  return (process) =>
    byState[filters.state](process) &&
    (filters.session === "" || process.owner.session === filters.session) &&
    (filters.label === "" || hasLabel(process, label, value.length > 0 ? value.join("=") : undefined)) &&
    (words.length === 0 || hasWords(process, words));
}

function hasLabel({ labels }: ListedProcess, name: string, value: string | undefined): boolean {
  return Object.hasOwn(labels, name) && (value === undefined || labels[name] === value);
}

function hasWords({ id, name, command, cwd, owner }: ListedProcess, words: readonly string[]): boolean {
  const text =
    `${id} ${name ?? ""} ${command} ${cwd} ${owner.session ?? ""} ${owner.task ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
