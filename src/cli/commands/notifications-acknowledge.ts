import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { tellSettlements } from "../tell-settlements.ts";

interface Options extends JsonOption {
  readonly consumer?: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Say that notices were taken care of: nobody is told of them again.")
    .argument("<notice...>", "their ids")
    .option("--consumer <name>", "who claimed them; without it, by hand");
  return withJson(command).action(async (notices: string[], { consumer, json }: Options) => {
    const client = await cli.client();
    const { results } = await client.notifications.acknowledge({ notices, ...given({ consumer }) });
    tellSettlements(cli, results, { json: json === true, done: "acknowledged" });
  });
}
