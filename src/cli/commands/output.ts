import { Command, Option } from "commander";
import type { Client } from "../../client/index.ts";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { printJsonLines, printLines, printRaw } from "../output/print-events.ts";
import { parseCount, parsePositive } from "../parse/numbers.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";

interface Options extends JsonOption {
  readonly follow?: boolean;
  readonly sinceOffset?: number;
  readonly tail?: number;
  readonly stream: "both" | "stdout" | "stderr";
  readonly timestamps?: boolean;
  readonly raw?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Show what a process wrote, with escapes stripped and redrawn lines collapsed.")
    .argument("<id>", processArgument)
    .option("-f, --follow", "go on until it has ended")
    .option("--since-offset <bytes>", "begin at this offset of its output", parseCount)
    .option("-n, --tail <lines>", "begin with its last so many lines", parsePositive)
    .addOption(
      new Option("--stream <stream>", "only one of the two")
        .choices(["both", "stdout", "stderr"])
        .default("both"),
    )
    .option("-t, --timestamps", "the time of each line before it")
    .option("--raw", "byte for byte");
  return withJson(command).action((id: string, options: Options) => logs(cli, id, options));
}

async function logs(cli: Cli, id: string, options: Options): Promise<void> {
  if (options.tail !== undefined && options.sinceOffset !== undefined) {
    throw invalidArgument("--tail and --since-offset both say where to begin.", "Give one of them.");
  }
  const client = await cli.client();
  const from = await beginning(client, id, options);
  const events = client.output(id, {
    ...(from === undefined ? {} : { from }),
    follow: options.follow === true,
  });
  const print = {
    timestamps: options.timestamps === true,
    stream: options.stream,
    note: (text: string) => cli.note(text),
  };
  if (options.json === true)
    await printJsonLines(events, { ...print, raw: options.raw === true, from: from ?? 0 });
  else if (options.raw === true) await printRaw(events, print);
  else await printLines(events, print);
}

async function beginning(
  client: Client,
  id: string,
  { tail, sinceOffset, stream }: Options,
): Promise<number | undefined> {
  if (tail === undefined) return sinceOffset;
  const told = await client.process.output({ id, tailLines: tail, stream, limitBytes: 1 });
  return told.from;
}
