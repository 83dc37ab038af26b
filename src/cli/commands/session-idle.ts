import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { tellSession } from "../tell-session.ts";

interface Options extends JsonOption {
  readonly by?: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Say that nobody works on a session any more: what is owed to it is pushed.")
    .argument("<session>", "the key of the session")
    .option("--by <name>", "only if this one was busy; default: whoever it was");
  return withJson(command).action(async (session: string, { by, json }: Options) => {
    const client = await cli.client();
    tellSession(cli, await client.session.idle({ session, ...given({ by }) }), json === true);
  });
}
