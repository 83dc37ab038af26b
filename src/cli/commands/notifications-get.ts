import { Command } from "commander";
import type { Cli } from "../context.ts";
import { safeLines } from "../format/safe-text.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Show one notice as a model or a person gets it.")
    .argument("<notice>", "its id");
  return withJson(command).action(async (notice: string, { json }: JsonOption) => {
    const client = await cli.client();
    const found = await client.notifications.get({ notice });
    if (json === true) cli.printJson(found);
    else cli.print(safeLines(found.text));
  });
}
