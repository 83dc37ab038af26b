import { Command } from "commander";
import type { Cli } from "../context.ts";
import { valueText } from "../format/config-value.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell the value of a configuration key.")
    .argument("<key>", "as in output.tailBytes");
  return withJson(command).action(async (key: string, { json }: JsonOption) => {
    const client = await cli.client();
    const value = await client.config.get({ key, directory: process.cwd() });
    if (json === true) cli.printJson(value);
    else cli.print(valueText(value.value));
  });
}
