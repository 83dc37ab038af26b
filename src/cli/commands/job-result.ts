import { Command } from "commander";
import type { Cli } from "../context.ts";
import { safeLines } from "../format/safe-text.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell how a job ended and what it wrote; a long output as its beginning and its end.")
    .argument("<id>", processArgument);
  return withJson(command).action(async (id: string, { json }: JsonOption) => {
    const client = await cli.client();
    const result = await client.job.result({ id });
    if (json === true) cli.printJson(result);
    else cli.print(safeLines(result.text));
  });
}
