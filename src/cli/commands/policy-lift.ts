import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { parsePositiveDuration } from "../parse/duration.ts";
import { given } from "../parse/given.ts";

interface Options extends JsonOption {
  readonly for?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Let nothing ask in a session any more, from its next command on; what is denied stays denied. For persons only.",
    )
    .argument("<session>", "the key of the session")
    .option("--for <duration>", "so long; default: until `policy restore`", parsePositiveDuration);
  return withJson(command).action(async (session: string, options: Options) => {
    const client = await cli.client();
    const grant = await client.policy.lift({ session, ...given({ forMs: options.for }) });
    if (options.json === true) cli.printJson(grant);
    else cli.print(grant.id);
  });
}
