import { Command } from "commander";
import type { TreeProcess } from "../../protocol/usage.ts";
import type { Cli } from "../context.ts";
import { formatDuration } from "../format/duration.ts";
import { formatSize } from "../format/size.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Show the processes of the tree of one process.")
    .argument("<id>", processArgument);
  return withJson(command).action(async (id: string, { json }: JsonOption) => {
    const client = await cli.client();
    const tree = await client.process.tree({ id });
    if (json === true) cli.printJson(tree);
    else if (tree.processes.length > 0) cli.print(renderTree(cli, tree.processes));
    else cli.note("Nothing of it is running.");
  });
}

function renderTree(cli: Cli, processes: readonly TreeProcess[]): string {
  const rows = processes.map((process): Cell[] => [
    { text: String(process.pid) },
    { text: process.state },
    { text: formatDuration(process.cpuMs) },
    { text: formatSize(process.memoryBytes) },
    { text: `${"  ".repeat(process.depth)}${process.command}` },
  ]);
  const headings = ["PID", "STATE", "CPU", "MEMORY", "COMMAND"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
