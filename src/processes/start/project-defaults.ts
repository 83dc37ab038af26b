// What the file of a project says about everything that is started in it.
import type { DirectoryConfig } from "../../config/index.ts";
import { renderProblem } from "../../config/index.ts";
import type { Limits } from "../../protocol/process.ts";

const limitKeys = {
  headBytes: "output.headBytes",
  tailBytes: "output.tailBytes",
  graceMs: "stop.graceMs",
} as const;

/** What only the project says. It becomes part of the start, so that it holds until the end, whatever becomes of the file. */
export function projectLimits({ explanations }: DirectoryConfig): Limits {
  const given = Object.entries(limitKeys).flatMap(([limit, key]) => {
    const told = explanations.get(key);
    return told?.source === "project" ? [[limit, told.value] as const] : [];
  });
  return Object.fromEntries(given);
}

/** Nobody's work waits for a file to be mended: it goes on with the home's configuration, and is told so. */
export function projectNotes({ problems: [first, ...others] }: DirectoryConfig): string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` (${others.length} more: holdfast config check)`;
  return [`The project's configuration is not used: ${renderProblem(first)}${more}`];
}
