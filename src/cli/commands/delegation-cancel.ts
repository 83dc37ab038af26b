import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";

interface Options extends JsonOption {
  readonly reason?: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Give delegated work up: its session is told, with what was done so far.")
    .argument("<delegation>", "its id")
    .option("--reason <text>", "why");
  return withJson(command).action(async (delegation: string, { reason, json }: Options) => {
    const client = await cli.client();
    const view = await client.delegation.cancel({ delegation, ...given({ reason }) });
    if (json === true) cli.printJson(view);
    else cli.print(`${view.id} ${view.state}`);
  });
}
