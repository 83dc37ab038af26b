import { Command } from "commander";
import type { OperationInput } from "../../protocol/operations.ts";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";
import { parsePositive } from "../parse/numbers.ts";
import { tellBarrier } from "../tell-barrier.ts";

interface Options extends JsonOption {
  readonly process?: string;
  readonly pid?: number;
  readonly until?: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Say what a session waits for before it goes on; one thing at a time.")
    .argument("<session>", "the key of the session")
    .option("--process <id>", "until this process ends or writes what is watched for")
    .option("--pid <pid>", "until this process of the machine is gone", parsePositive)
    .option("--until <time>", "until this time, like 2026-12-01T08:00:00Z");
  return withJson(command).action(async (session: string, options: Options) => {
    const client = await cli.client();
    tellBarrier(cli, await client.barrier.set({ session, for: targetOf(options) }), options.json === true);
  });
}

function targetOf({ process, pid, until }: Options): OperationInput<"barrier.set">["for"] {
  const targets = [
    ...(process === undefined ? [] : [{ process }]),
    ...(pid === undefined ? [] : [{ pid }]),
    ...(until === undefined ? [] : [{ until: timeOf(until) }]),
  ];
  const [target] = targets;
  if (target !== undefined && targets.length === 1) return target;
  throw invalidArgument("What to wait for is not clear.", "Give one of --process, --pid, --until.");
}

function timeOf(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalidArgument(`"${text}" is no time`, "Write it like 2026-12-01T08:00:00Z.");
  return new Date(ms).toISOString();
}
