import { Command } from "commander";
import type { Cli } from "../context.ts";
import { itemsOf, withItem, type ItemOptions } from "../delegation-items.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell how delegated work stands; nobody is pushed.")
    .argument("<delegation>", "its id");
  return withJson(withItem(command)).action(async (delegation: string, options: ItemOptions & JsonOption) => {
    const client = await cli.client();
    const view = await client.delegation.progress({ delegation, items: await itemsOf(options) });
    if (options.json === true) cli.printJson(view);
    else cli.print(`${view.id} ${view.state}`);
  });
}
