import { Command } from "commander";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Close the standard input of a process; a terminal gets its end-of-file character.")
    .argument("<id>", processArgument);
  return withJson(command).action(async (id: string, { json }: JsonOption) => {
    const client = await cli.client();
    const view = await client.process.closeStdin({ id });
    if (json === true) cli.printJson(view);
    else cli.print(`The standard input of ${view.id} is closed`);
  });
}
