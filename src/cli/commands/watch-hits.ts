import { Command } from "commander";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { Cli } from "../context.ts";
import { safeText } from "../format/safe-text.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { parseCount, parsePositive } from "../parse/numbers.ts";

interface Options extends JsonOption {
  readonly from?: number;
  readonly limit?: number;
  readonly counts?: true;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Find the matching lines of a watch again, each with the offset at which it begins.")
    .argument("<watch>", "the watch: its id, as `watch list` tells it")
    .option("--from <offset>", "only lines that begin here or later", parseCount)
    .option("-n, --limit <count>", "at most so many; default: 100", parsePositive)
    .option("--counts", "instead of the lines how many there were in each part of the output, kept or not");
  return withJson(command).action(async (watch: string, options: Options) => {
    const client = await cli.client();
    const found = await client.watch.hits({ watch, ...given({ from: options.from, limit: options.limit }) });
    if (options.json === true) {
      cli.printJson(found);
      return;
    }
    if (options.counts === true) {
      cli.print(renderCounts(cli, found.counts));
      return;
    }
    const lines = found.hits.map(({ offset, line }) => `${String(offset).padStart(10)}  ${safeText(line)}`);
    if (lines.length > 0) cli.print(lines.join("\n"));
    for (const { from, to } of found.gaps) cli.note(`Not looked at, no longer kept: ${from} to ${to}.`);
    if (found.next !== null) cli.note(`There are more: holdfast watch hits ${watch} --from ${found.next}`);
  });
}

function renderCounts(cli: Cli, counts: OperationOutput<"watch.hits">["counts"]): string {
  const rows = counts.map(({ from, to, hits }): Cell[] => [
    { text: String(from) },
    { text: String(to) },
    { text: String(hits) },
  ]);
  return renderTable({ headings: ["FROM", "TO", "HITS"], rows, columns: cli.columns, paint: cli.paint });
}
