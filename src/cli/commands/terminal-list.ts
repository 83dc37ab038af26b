import { Command } from "commander";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { Cli } from "../context.ts";
import { formatDuration } from "../format/duration.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";

interface Options extends JsonOption {
  readonly all?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("List terminals that were opened by a key.")
    .option("-a, --all", "also those that have ended");
  return withJson(command).action(async ({ json, all }: Options) => {
    const client = await cli.client();
    const { terminals } = await client.terminal.list({ ended: all === true });
    if (json === true) cli.printJson(terminals);
    else cli.print(render(cli, terminals));
  });
}

function render(cli: Cli, terminals: OperationOutput<"terminal.list">["terminals"]): string {
  const rows = terminals.map(({ key, process, viewers }): Cell[] => [
    { text: process.id },
    { text: key },
    { text: process.state },
    { text: formatDuration(process.uptimeMs) },
    { text: String(viewers) },
    { text: process.cwd },
  ]);
  const headings = ["ID", "KEY", "STATE", "UP", "VIEWERS", "DIRECTORY"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
