import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command().description(
    "Start the daemon in the background, unless one runs. Every command that needs it does so by itself.",
  );
  return withJson(command).action(async ({ json }: JsonOption) => {
    const client = await cli.client();
    const status = await client.daemon.status();
    if (json === true) cli.printJson(status);
    else cli.print(`The daemon of ${status.home} runs as process ${status.pid}`);
  });
}
