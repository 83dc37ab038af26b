import { Command, Option } from "commander";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { Cli } from "../context.ts";
import { safeText } from "../format/safe-text.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { parseCount, parsePositive } from "../parse/numbers.ts";

type Match = OperationOutput<"process.search">["matches"][number];

interface Options extends JsonOption {
  readonly context?: number;
  readonly limit?: number;
  readonly sinceOffset?: number;
  readonly stream: "both" | "stdout" | "stderr";
  readonly timestamps?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Show the lines a process wrote that match a pattern. Exit code 1 when there is none.")
    .argument("<id>", processArgument)
    .argument("<pattern>", "a regular expression (RE2)")
    .option("-C, --context <lines>", "lines shown around each match; at most 20", parseCount)
    .option("-m, --limit <matches>", "at most so many; default 50, at most 500", parsePositive)
    .option("--since-offset <bytes>", "begin at this offset of its output", parseCount)
    .addOption(
      new Option("--stream <stream>", "only one of the two")
        .choices(["both", "stdout", "stderr"])
        .default("both"),
    )
    .option("-t, --timestamps", "the time of each match before it");
  return withJson(command).action((id: string, pattern: string, options: Options) =>
    search(cli, id, pattern, options),
  );
}

async function search(cli: Cli, id: string, pattern: string, options: Options): Promise<void> {
  const client = await cli.client();
  const found = await client.process.search({
    id,
    regex: pattern,
    stream: options.stream,
    ...(options.context === undefined ? {} : { context: options.context }),
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.sinceOffset === undefined ? {} : { from: options.sinceOffset }),
  });
  // As grep does.
  if (found.matches.length === 0) cli.exitCode = 1;
  if (options.json === true) {
    cli.printJson(found);
    return;
  }
  if (found.matches.length > 0) {
    const hasTimes = options.timestamps === true;
    cli.print(found.matches.map((match) => matchText(match, hasTimes)).join("\n"));
  }
  if (found.next !== null) cli.note(`There are more: --since-offset ${found.next}`);
}

/** As `grep -bC`: a colon marks the line that matches, a dash those around it. */
function matchText({ offset, at, before, line, after }: Match, hasTime: boolean): string {
  return [
    ...before.map((text) => `-${safeText(text)}`),
    `${hasTime ? `${at} ` : ""}${offset}:${safeText(line)}`,
    ...after.map((text) => `-${safeText(text)}`),
  ].join("\n");
}
