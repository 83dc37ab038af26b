import { Command, Option } from "commander";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { parsePositiveDuration } from "../parse/duration.ts";
import { parsePositive } from "../parse/numbers.ts";
import { parseCodes, parseFrom, watchOf, type WatchOptions } from "../parse/watch.ts";

interface Options extends JsonOption, WatchOptions {}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Watch a process for one thing, and tell its session when it is so. Prints the watch's id.")
    .argument("<id>", processArgument)
    .option("--text <text>", "a line with this text")
    .option("--regex <pattern>", "a line with a match of this pattern (RE2)")
    .option("--silence <duration>", "nothing written for so long", parsePositiveDuration)
    .option("--rate <count>", "more lines than this within a second", parsePositive)
    .option("--per <duration>", "with --rate: within this time instead", parsePositiveDuration)
    .option("--bytes", "with --rate: bytes instead of lines")
    .option("--input", "it waits for somebody to type (in a terminal)")
    .option("--exit <codes>", "it ends with one of these codes, as in 1,2; 128 + N for signal N", parseCodes)
    .option("--port <port>", "it is ready: this port of 127.0.0.1 takes connections", parsePositive)
    .option("--http <url>", "it is ready: this address answers")
    .addOption(new Option("--stream <stream>", "only one of the two").choices(["both", "stdout", "stderr"]))
    .option("--from <where>", "what is looked at: from an offset, start, or now (default)", parseFrom);
  return withJson(command).action(async (id: string, options: Options) => {
    const watch = watchOf(options);
    const client = await cli.client();
    const added = await client.watch.add({ id, watch });
    if (options.json === true) cli.printJson(added);
    else cli.print(added.id);
  });
}
