import { Command } from "commander";
import type { Cli } from "../context.ts";
import { safeText } from "../../util/safe-text.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Show what is on the screen of a terminal, as text.")
    .argument("<id>", processArgument);
  return withJson(command).action(async (id: string, { json }: JsonOption) => {
    const client = await cli.client();
    const screen = await client.process.screen({ id });
    if (json === true) {
      cli.printJson(screen);
      return;
    }
    cli.print(screen.lines.map(safeText).join("\n"));
    const { missing } = screen;
    if (missing !== undefined)
      cli.note(`Output from ${missing.from} to ${missing.to} is not kept, and not drawn.`);
  });
}
