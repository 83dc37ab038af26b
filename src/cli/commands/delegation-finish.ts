import { Command } from "commander";
import type { Cli } from "../context.ts";
import { itemsOf, withItem, type ItemOptions } from "../delegation-items.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";

interface Options extends ItemOptions, JsonOption {
  readonly error?: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell what came of delegated work: its session gets one notice.")
    .argument("<delegation>", "its id")
    .option("--error <text>", "why the whole of it failed");
  return withJson(withItem(command)).action(async (delegation: string, options: Options) => {
    const items = await itemsOf(options);
    const client = await cli.client();
    const view = await client.delegation.finish({ delegation, items, ...given({ error: options.error }) });
    if (options.json === true) cli.printJson(view);
    else cli.print(`${view.id} ${view.state}`);
  });
}
