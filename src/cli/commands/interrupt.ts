import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Return the waits of a session at once; its processes go on.")
    .argument("<session>", "the key of the session");
  return withJson(command).action(async (session: string, { json }: JsonOption) => {
    const client = await cli.client();
    const answer = await client.session.interrupt({ session });
    if (json === true) cli.printJson(answer);
    else cli.print(`${answer.interrupted} ${answer.interrupted === 1 ? "wait" : "waits"} interrupted`);
  });
}
