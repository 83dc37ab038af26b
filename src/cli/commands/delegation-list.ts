import { Command } from "commander";
import type { DelegationView } from "../../protocol/delegations.ts";
import type { Cli } from "../context.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { parsePositive } from "../parse/numbers.ts";

interface Options extends JsonOption {
  readonly all?: boolean;
  readonly session?: string;
  readonly limit?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("List delegated work, newest first: what runs, or all with -a.")
    .option("-a, --all", "also what is over")
    .option("--session <key>", "only of this session")
    .option("-n, --limit <count>", "at most so many", parsePositive);
  return withJson(command).action(async ({ all, session, limit, json }: Options) => {
    const client = await cli.client();
    const states = all === true ? {} : { states: ["running" as const] };
    const { delegations } = await client.delegation.list({ ...states, ...given({ session, limit }) });
    if (json === true) cli.printJson(delegations);
    else cli.print(render(cli, delegations));
  });
}

function render(cli: Cli, delegations: readonly DelegationView[]): string {
  const rows = delegations.map(({ id, state, startedAt, items, goal }): Cell[] => [
    { text: id },
    { text: state, colour: state === "running" ? "green" : "dim" },
    { text: startedAt },
    { text: `${items.filter(({ status }) => status !== "running").length}/${items.length}` },
    { text: goal },
  ]);
  const headings = ["ID", "STATE", "STARTED", "DONE", "GOAL"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
