import { Command } from "commander";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { parseSide } from "../parse/numbers.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Set the terminal size of a process. Attached terminals do it by themselves.")
    .argument("<id>", processArgument)
    .argument("<columns>", "width", parseSide)
    .argument("<rows>", "height", parseSide);
  return withJson(command).action(async (id: string, columns: number, rows: number, { json }: JsonOption) => {
    const client = await cli.client();
    const size = await client.process.resize({ id, columns, rows });
    if (json === true) cli.printJson(size);
    else cli.print(`${size.id} has ${size.columns}×${size.rows} now`);
  });
}
