import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Take a token back: it lets nobody in any more, and what it has open is closed.")
    .argument("<token>", "its id or its name");
  return withJson(command).action(async (token: string, { json }: JsonOption) => {
    const client = await cli.client();
    const revoked = await client.token.revoke({ token });
    if (json === true) cli.printJson(revoked);
    else cli.print(`${revoked.id} ${revoked.name} revoked`);
  });
}
