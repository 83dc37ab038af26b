import { Command } from "commander";
import type { Cli } from "../context.ts";
import { itemsOf, withItem, type ItemOptions } from "../delegation-items.ts";
import { withJson, type JsonOption } from "../options.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell how delegated work stands; nobody is pushed.")
    .argument("<delegation>", "its id");
  return withJson(withItem(command)).action(async (delegation: string, options: ItemOptions & JsonOption) => {
    const items = await itemsOf(options);
    if (items.length === 0) {
      throw invalidArgument(
        "Nothing is told of any item.",
        "Give --status, --summary or another of them, or --items.",
      );
    }
    const client = await cli.client();
    const view = await client.delegation.progress({ delegation, items });
    if (options.json === true) cli.printJson(view);
    else cli.print(`${view.id} ${view.state}`);
  });
}
