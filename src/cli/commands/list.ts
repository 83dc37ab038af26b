import { Command, Option } from "commander";
import type { ListedProcess } from "../../protocol/control.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { ProcessState } from "../../protocol/process.ts";
import type { Cli } from "../context.ts";
import { formatDuration } from "../format/duration.ts";
import { stateColour, stateText } from "../format/exit.ts";
import { formatSize } from "../format/size.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { selectorOf, withJson, withSelector, type JsonOption, type SelectorOptions } from "../options.ts";
import { given } from "../parse/given.ts";
import { parsePositive } from "../parse/numbers.ts";

interface Options extends JsonOption, SelectorOptions {
  readonly all?: boolean;
  readonly state?: ProcessState[];
  readonly long?: boolean;
  readonly quiet?: boolean;
  readonly limit?: number;
  readonly start: boolean;
}

const living: ProcessState[] = ["starting", "running", "stopping"];
const states: ProcessState[] = [...living, "ended"];

export function define(cli: Cli): Command {
  const command = new Command()
    .description("List processes, newest first: those that run, or all with -a.")
    .option("-a, --all", "also those that have ended")
    .addOption(new Option("--state <state...>", "only those in these states").choices(states))
    .option("-l, --long", "also CPU time, memory and the last line of output")
    .option("-q, --quiet", "only ids")
    .option("-n, --limit <count>", "at most so many", parsePositive)
    .option("--no-start", "do not start a daemon; without one the list is empty");
  return withJson(withSelector(command)).action((options: Options) => list(cli, options));
}

async function list(cli: Cli, options: Options): Promise<void> {
  const { processes } = await ask(cli, options);
  if (options.json === true) cli.printJson(processes);
  else if (options.quiet === true) {
    if (processes.length > 0) cli.print(processes.map(({ id }) => id).join("\n"));
  } else cli.print(renderList(cli, processes, options.long === true));
}

async function ask(cli: Cli, options: Options): Promise<OperationOutput<"process.list">> {
  const wanted = options.state ?? (options.all === true ? undefined : living);
  try {
    const client = await cli.client({ start: options.start });
    return await client.process.list({
      ...selectorOf(options),
      ...given({ states: wanted, limit: options.limit }),
      details: options.long === true,
    });
  } catch (error) {
    if (!options.start && isHoldfastError(error, "DAEMON_UNREACHABLE"))
      return { processes: [], running: 0, cursor: 0 };
    throw error;
  }
}

function renderList(cli: Cli, processes: readonly ListedProcess[], isLong: boolean): string {
  const headings = ["ID", "NAME", "STATE", "TIME", "OUTPUT", ...(isLong ? ["CPU", "MEMORY"] : []), "COMMAND"];
  const rows = processes.map((process): Cell[] => [
    { text: process.id },
    { text: process.name ?? "-" },
    { text: stateText(process), colour: stateColour(process) },
    { text: formatDuration(process.uptimeMs) },
    { text: process.outputRemoved ? "removed" : formatSize(process.outputBytes) },
    ...(isLong
      ? [{ text: formatDuration(process.cpuMs ?? 0) }, { text: formatSize(process.memoryBytes ?? 0) }]
      : []),
    { text: isLong && process.lastLine ? `${process.command}  # ${process.lastLine}` : process.command },
  ]);
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
