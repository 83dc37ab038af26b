import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { tellSession } from "../tell-session.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Say that a person is there: what was kept for a person, or given up, is pushed again.")
    .argument("<session>", "the key of the session");
  return withJson(command).action(async (session: string, { json }: JsonOption) => {
    const client = await cli.client();
    const view = await client.session.attend({ session });
    tellSession(cli, view, json === true);
    if (json !== true && view.replayed > 0)
      cli.print(
        view.replayed === 1 ? "1 delivery is tried again" : `${view.replayed} deliveries are tried again`,
      );
  });
}
