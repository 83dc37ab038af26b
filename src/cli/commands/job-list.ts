import { Command } from "commander";
import type { ProcessView } from "../../protocol/process.ts";
import type { Cli } from "../context.ts";
import { formatDuration } from "../format/duration.ts";
import { stateColour, stateText } from "../format/exit.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { parsePositive } from "../parse/numbers.ts";

interface Options extends JsonOption {
  readonly session?: string;
  readonly limit?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("List jobs, newest first: those that run and those that have ended.")
    .option("--session <key>", "only of this session")
    .option("-n, --limit <count>", "at most so many", parsePositive);
  return withJson(command).action(async ({ session, limit, json }: Options) => {
    const client = await cli.client();
    const { jobs } = await client.job.list(given({ session, limit }));
    if (json === true) cli.printJson(jobs);
    else cli.print(render(cli, jobs));
  });
}

function render(cli: Cli, jobs: readonly ProcessView[]): string {
  const rows = jobs.map((job): Cell[] => [
    { text: job.id },
    { text: stateText(job), colour: stateColour(job) },
    { text: formatDuration(job.uptimeMs) },
    { text: job.command },
  ]);
  return renderTable({
    headings: ["ID", "STATE", "TIME", "COMMAND"],
    rows,
    columns: cli.columns,
    paint: cli.paint,
  });
}
