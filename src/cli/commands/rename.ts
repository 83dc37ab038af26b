import { Command } from "commander";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";

interface Options extends JsonOption {
  readonly clear?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Give a process another name.")
    .argument("<id>", processArgument)
    .argument("[name]", "the new name")
    .option("--clear", "take its name away instead");
  return withJson(command).action(async (id: string, name: string | undefined, { clear, json }: Options) => {
    if ((name === undefined) !== (clear === true)) {
      throw invalidArgument("Exactly one of a name and --clear is needed.");
    }
    const client = await cli.client();
    const view = await client.process.rename({ id, name: name ?? null });
    if (json === true) cli.printJson(view);
    else cli.print(view.name === null ? `${view.id} has no name now` : `${view.id} is ${view.name} now`);
  });
}
