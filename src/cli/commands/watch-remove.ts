import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("End a watch and forget what it found.")
    .argument("<watch>", "the watch: its id, as `watch list` tells it");
  return withJson(command).action(async (watch: string, { json }: JsonOption) => {
    const client = await cli.client();
    const { removed } = await client.watch.remove({ watch });
    if (json === true) cli.printJson({ removed });
    else cli.print(removed ? `${watch} removed` : `there was no ${watch}`);
  });
}
