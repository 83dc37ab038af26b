import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { tellSettlements } from "../tell-settlements.ts";

interface Options extends JsonOption {
  readonly consumer: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Give claimed notices back to whoever asks next.")
    .argument("<notice...>", "their ids")
    .requiredOption("--consumer <name>", "who claimed them");
  return withJson(command).action(async (notices: string[], { consumer, json }: Options) => {
    const client = await cli.client();
    const { results } = await client.notifications.release({ notices, consumer });
    tellSettlements(cli, results, { json: json === true, done: "released" });
  });
}
