import { Command } from "commander";
import type { Cli } from "../context.ts";
import { selectorOf, withJson, withSelector, type JsonOption, type SelectorOptions } from "../options.ts";
import { parsePositiveDuration } from "../parse/duration.ts";
import { given } from "../parse/given.ts";

interface Options extends JsonOption, SelectorOptions {
  readonly youngerThan?: number;
}

// Not a code of the error registry: the answer "no" is no error.
const notActiveExitCode = 1;

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell whether something still runs: exit code 0 for yes, 1 for no.")
    .option("--younger-than <duration>", "leave out processes older than this", parsePositiveDuration);
  return withJson(withSelector(command)).action(async (options: Options) => {
    const client = await cli.client();
    const answer = await client.process.active({
      ...selectorOf(options),
      ...given({ youngerThanMs: options.youngerThan }),
    });
    if (options.json === true) cli.printJson(answer);
    else cli.print(answer.active ? `yes: ${answer.ids.join(" ")}` : "no");
    cli.exitCode = answer.active ? 0 : notActiveExitCode;
  });
}
