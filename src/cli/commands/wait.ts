import { Command } from "commander";
import type { Client } from "../../client/index.ts";
import { errorRegistry, HoldfastError } from "../../protocol/errors.ts";
import type { WaitOutput, WaitResult } from "../../protocol/wait.ts";
import type { Cli } from "../context.ts";
import { formatDuration } from "../format/duration.ts";
import { stateText } from "../format/exit.ts";
import { safeText } from "../format/safe-text.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { conditionForms, parseCondition, type ConditionInput } from "../parse/condition.ts";
import { parsePositiveDuration } from "../parse/duration.ts";

interface Options extends JsonOption {
  readonly for: ConditionInput;
  readonly any?: boolean;
  readonly timeout?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Wait until something is true of processes. Leaves them alone, whatever ends the wait.")
    .argument("<id...>", processArgument)
    .option("--for <condition>", `${conditionForms}; a PATTERN is a regular expression`, parseCondition, {
      kind: "exit",
    })
    .option("--any", "until it is true of one of them; else of all")
    .option("--timeout <duration>", "give up after this time, with exit code 8", parsePositiveDuration);
  return withJson(command).action((ids: string[], options: Options) => wait(cli, ids, options));
}

async function wait(cli: Cli, ids: string[], options: Options): Promise<void> {
  const told = await waitUntil(await cli.client(), ids, options);
  if (options.json === true) cli.printJson(told);
  else cli.print(told.results.map(resultLine).join("\n"));
  const problem = problemOf(told, options);
  if (problem === undefined) return;
  if (options.json !== true) throw problem;
  // The answer itself has told it.
  cli.exitCode = errorRegistry[problem.code].exitCode;
}

/** The daemon waits for so long at a time; it is asked again until the time is up, or for ever. */
async function waitUntil(client: Client, ids: string[], options: Options): Promise<WaitOutput> {
  const beganMs = performance.now();
  for (;;) {
    const elapsedMs = Math.round(performance.now() - beganMs);
    const leftMs = options.timeout === undefined ? undefined : Math.max(1, options.timeout - elapsedMs);
    const told = await client.process.wait({
      ids,
      for: options.for,
      mode: options.any === true ? "any" : "all",
      ...(leftMs === undefined ? {} : { timeoutMs: leftMs }),
    });
    const isOver = options.timeout !== undefined && performance.now() - beganMs >= options.timeout;
    if (told.outcome !== "timeout" || isOver) {
      const { clampedTimeoutMs: _ofOneRound, ...whole } = told;
      return { ...whole, waitedMs: Math.round(performance.now() - beganMs) };
    }
  }
}

function resultLine({ id, outcome, match, process }: WaitResult): string {
  const state = stateText(process);
  if (match !== undefined) return `${id}  ${state}  ${safeText(match.line)}`;
  return outcome === "pending" ? `${id}  ${state}  (not yet)` : `${id}  ${state}`;
}

/** Why the command does not end with success. */
function problemOf({ outcome, results }: WaitOutput, { timeout, any }: Options): HoldfastError | undefined {
  if (outcome === "timeout") {
    return new HoldfastError("WAIT_TIMEOUT", `Not within ${formatDuration(timeout ?? 0)}.`);
  }
  if (outcome === "interrupted") {
    return new HoldfastError("WAIT_INTERRUPTED", "The session was interrupted; the processes go on.");
  }
  const ended = results.filter((result) => result.outcome === "ended").map(({ id }) => id);
  const isMet = any === true ? results.some((result) => result.outcome === "met") : ended.length === 0;
  if (isMet) return undefined;
  return new HoldfastError("PROCESS_ENDED", `${ended.join(", ")} ended before it was so.`);
}
