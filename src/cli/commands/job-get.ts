import { Command } from "commander";
import type { Cli } from "../context.ts";
import { renderProcess } from "./get.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell everything about one job.")
    .argument("<id>", processArgument);
  return withJson(command).action(async (id: string, { json }: JsonOption) => {
    const client = await cli.client();
    const detail = await client.job.get({ id });
    if (json === true) cli.printJson(detail);
    else cli.print(renderProcess(cli, detail));
  });
}
