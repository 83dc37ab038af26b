import { Command } from "commander";
import type { WatchView } from "../../protocol/watches.ts";
import type { Cli } from "../context.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { watchText } from "../format/watch.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("List the watches of a process, and how often each was true.")
    .argument("<id>", processArgument);
  return withJson(command).action(async (id: string, { json }: JsonOption) => {
    const client = await cli.client();
    const { watches } = await client.watch.list({ id });
    if (json === true) cli.printJson(watches);
    else cli.print(renderWatches(cli, watches));
    if (json !== true && watches.some(({ pushOff }) => pushOff)) {
      cli.note("Matches came too often: they are counted and no longer told; its end will be.");
    }
  });
}

function renderWatches(cli: Cli, watches: readonly WatchView[]): string {
  const rows = watches.map((watch): Cell[] => [
    { text: watch.id },
    { text: watch.state },
    { text: String(watch.hits) },
    { text: watch.lastHitAt ?? "-" },
    { text: watchText(watch.spec) },
  ]);
  const headings = ["ID", "STATE", "HITS", "LAST", "WATCH"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
