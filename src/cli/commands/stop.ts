import { Command } from "commander";
import type { StopResult } from "../../protocol/control.ts";
import type { Cli } from "../context.ts";
import { stateText } from "../format/exit.ts";
import {
  processArgument,
  selectorOf,
  withJson,
  withSelector,
  type JsonOption,
  type SelectorOptions,
} from "../options.ts";
import { parseDuration } from "../parse/duration.ts";
import { given } from "../parse/given.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";
import { knownCode, tellPartFailures, type PartFailure } from "../part-failures.ts";

interface Options extends JsonOption, SelectorOptions {
  readonly all?: boolean;
  readonly grace?: number;
  readonly kill: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("End processes with all their descendants: ask, wait for the grace, kill.")
    .argument("[id...]", processArgument)
    .option("--all", "every process of the home that runs")
    .option("--grace <duration>", "time between asking and killing", parseDuration)
    .option("--no-kill", "only ask; do not kill after the grace");
  return withJson(withSelector(command)).action((ids: string[], options: Options) => stop(cli, ids, options));
}

async function stop(cli: Cli, ids: string[], options: Options): Promise<void> {
  const selector = selectorOf(options);
  const hasSelector = options.all === true || Object.keys(selector).length > 0;
  if (ids.length > 0 === hasSelector) {
    throw invalidArgument(
      hasSelector ? "Both ids and a selection were given." : "Nothing says which processes to stop.",
      "Give ids, or one of --all, --session, --task and --label.",
    );
  }
  const client = await cli.client();
  const { results, stopped } = await client.process.stop({
    ...selector,
    ...given({ ids: ids.length > 0 ? ids : undefined, graceMs: options.grace }),
    all: options.all === true,
    noKill: !options.kill,
  });
  if (options.json === true) cli.printJson({ results, stopped });
  else if (results.length === 0) cli.print("Nothing to stop.");
  else for (const result of results) if (result.outcome !== "failed") cli.print(stopLine(result));
  cli.exitCode = tellPartFailures(cli, results.flatMap(failureOf), options.json === true);
}

function stopLine({ id, outcome, killed, left, process }: StopResult): string {
  const state = process === undefined ? "" : ` (${stateText(process)})`;
  switch (outcome) {
    case "already_ended":
      return `${id} had ended${state}`;
    case "ended":
      return `${id} ended${state}`;
    case "killed":
      return `${id} had to be killed, ${killed} ${killed === 1 ? "process" : "processes"}${state}`;
    case "still_running":
      return `${id} still runs, ${left} ${left === 1 ? "process" : "processes"} left`;
    case "failed":
      break;
  }
  return `${id} could not be stopped`;
}

/** A process that goes on is what the caller allowed with --no-kill, and still not what was asked for. */
function failureOf({ id, outcome, error }: StopResult): PartFailure[] {
  if (error !== undefined) return [{ ...error, code: knownCode(error.code) }];
  if (outcome !== "still_running") return [];
  return [{ code: "PROCESS_RUNNING", message: `${id} still runs.`, hint: "Stop it without --no-kill." }];
}
