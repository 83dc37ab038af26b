// What would be lost with the end of a terminal, in words; undefined when it is a shell in which nothing runs.
import type { ProcessDetail } from "#protocol/process.ts";
import { terminalKeyOf } from "#protocol/terminal-key.ts";
import { titleOf } from "~/processes/process-text.ts";

const how = "a hang-up first, a kill after 1.5 s.";

export function endingText(
  detail: Pick<ProcessDetail, "name" | "command" | "labels" | "processes">,
): string | undefined {
  // Not a shell that a person opened: it is there for its own sake, also when it has started nothing.
  if (terminalKeyOf(detail) === undefined) return `${titleOf(detail)} still runs and will be ended: ${how}`;
  const programs = detail.processes - 1;
  if (programs < 1) return undefined;
  const what = programs === 1 ? "A program still runs" : `${programs} programs still run`;
  return `${what} in it and will be ended with it: ${how}`;
}
