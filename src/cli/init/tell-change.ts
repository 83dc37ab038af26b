// What `init` would do and has done, for a person.
import type { Change } from "../../agents/plan-change.ts";
import { showChange } from "../../agents/show-change.ts";
import type { Cli } from "../context.ts";
import { safeText } from "../format/safe-text.ts";

/** The file, the place in it, and our entry alone. */
export function tellChange(cli: Cli, change: Change): void {
  const { agent, stored, path } = change;
  const group = path.slice(0, -1).join(".");
  const isNew = stored.bytes === undefined ? " (new)" : "";
  cli.print(`\n${agent.title}: ${safeText(stored.path)}${isNew}, ${group}`);
  for (const line of showChange(change)) cli.print(`  ${painted(cli, safeText(line))}`);
}

export function tellNothing(cli: Cli, { agent, stored }: Change, isRemoval: boolean): void {
  cli.print(`\n${agent.title}: ${safeText(stored.path)} ${isRemoval ? "has no entry" : "is up to date"}.`);
}

export function tellDone(cli: Cli, { agent, after }: Change, backup: string | undefined): void {
  const kept = backup === undefined ? "" : ` The file as it was: ${safeText(backup)}`;
  cli.print(`${after === undefined ? "Removed" : "Written"}.${kept}`);
  cli.print(`Next: ${agent.afterwards}`);
}

function painted(cli: Cli, line: string): string {
  return cli.paint(line.startsWith("+") ? "green" : "red", line);
}
