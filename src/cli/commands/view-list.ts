import { Command } from "commander";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { Cli } from "../context.ts";
import { formatDuration } from "../format/duration.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("List who looks at terminals in the dashboard now.")
    .argument("[id]", processArgument);
  return withJson(command).action(async (id: string | undefined, { json }: JsonOption) => {
    const client = await cli.client();
    const { views } = await client.views.list(given({ id }));
    if (json === true) cli.printJson(views);
    else cli.print(render(cli, views));
  });
}

function render(cli: Cli, views: OperationOutput<"view.list">["views"]): string {
  const now = Date.now();
  const rows = views.map((view): Cell[] => [
    { text: view.process },
    { text: view.id },
    { text: view.name },
    { text: formatDuration(Math.max(0, now - Date.parse(view.since))) },
    { text: `${view.columns}×${view.rows}` },
    { text: view.keyboard ? "types" : "looks" },
  ]);
  const headings = ["PROCESS", "VIEWER", "NAME", "FOR", "SIZE", "DOES"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
