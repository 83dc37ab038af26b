import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { parsePositiveDuration } from "../parse/duration.ts";
import { given } from "../parse/given.ts";
import { tellSession } from "../tell-session.ts";

interface Options extends JsonOption {
  readonly by: string;
  readonly lease?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Say that somebody works on a session: it is not resumed meanwhile.")
    .argument("<session>", "the key of the session")
    .requiredOption("--by <name>", "who works on it; the same name again makes it longer")
    .option(
      "--lease <duration>",
      "idle again after this, whatever happens; default 60s",
      parsePositiveDuration,
    );
  return withJson(command).action(async (session: string, { by, lease, json }: Options) => {
    const client = await cli.client();
    tellSession(cli, await client.session.busy({ session, by, ...given({ leaseMs: lease }) }), json === true);
  });
}
