import { Command } from "commander";
import { listLocks, lockDirectory } from "../../locks/index.ts";
import type { LockView } from "../../protocol/locks.ts";
import type { Cli } from "../context.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { scopeArgument } from "../lock-options.ts";
import { withJson, type JsonOption } from "../options.ts";

// Enough to tell two locks apart.
const shownHashDigits = 12;

export function define(cli: Cli): Command {
  const command = new Command()
    .description("List the locks of this user on this machine. Needs no daemon.")
    .argument("[scope]", `only of this scope; ${scopeArgument}`);
  return withJson(command).action(async (scope: string | undefined, { json }: JsonOption) => {
    const listed = await listLocks({ scope, directory: lockDirectory(cli.environment) });
    if (json === true) cli.printJson(listed);
    else cli.print(render(cli, listed.locks));
  });
}

function render(cli: Cli, locks: readonly LockView[]): string {
  const rows = locks.map((lock): Cell[] => [
    { text: lock.scope },
    { text: lock.identityHash.slice(0, shownHashDigits), colour: "dim" },
    { text: lock.owner === null ? "-" : String(lock.owner.pid) },
    { text: lock.owner?.command ?? "-" },
    { text: lock.stale ? `${lock.state}, stale` : lock.state, colour: lock.stale ? "yellow" : undefined },
    { text: lock.acquiredAt ?? "-" },
    { text: metaText(lock) },
  ]);
  const headings = ["SCOPE", "HASH", "PID", "COMMAND", "OWNER", "SINCE", "META"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}

function metaText({ meta }: LockView): string {
  return Object.entries(meta)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ");
}
