import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Let a session wait for nothing any more.")
    .argument("<session>", "the key of the session");
  return withJson(command).action(async (session: string, { json }: JsonOption) => {
    const client = await cli.client();
    const answer = await client.barrier.clear({ session });
    if (json === true) cli.printJson(answer);
    else cli.print(answer.cleared ? "cleared" : "there was none");
  });
}
