import { Command } from "commander";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Close every tab of the dashboard that shows a process; the process goes on.")
    .argument("<id>", processArgument);
  return withJson(command).action(async (id: string, { json }: JsonOption) => {
    const client = await cli.client();
    const closed = await client.views.close({ id });
    if (json === true) cli.printJson(closed);
    else cli.print(`${closed.closed} ${closed.closed === 1 ? "view" : "views"} of ${closed.id} closed`);
  });
}
