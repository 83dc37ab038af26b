import { Command } from "commander";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { parseCount } from "../parse/numbers.ts";

interface Options extends JsonOption {
  readonly session?: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Remember up to which offset a session has looked at the output of a process.")
    .argument("<id>", processArgument)
    .argument("<offset>", "absolute, as `logs --json` tells it", parseCount)
    .option("--session <key>", "whose; default: HOLDFAST_SESSION");
  return withJson(command).action(async (id: string, offset: number, { session, json }: Options) => {
    const client = await cli.client();
    const cursor = await client.cursor.set({ id, offset, ...given({ session }) });
    if (json === true) cli.printJson(cursor);
    else cli.print(String(cursor.offset));
  });
}
