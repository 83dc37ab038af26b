import { Command } from "commander";
import type { Cli } from "../context.ts";
import { valueText } from "../format/config-value.ts";
import { withJson, type JsonOption } from "../options.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";

interface Options extends JsonOption {
  readonly unset?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Set a key in the home's configuration file.")
    .argument("<key>", "as in output.tailBytes")
    .argument("[value]", "lists and maps as JSON")
    .option("--unset", "take the key out of the file instead");
  return withJson(command).action(
    async (key: string, value: string | undefined, { unset, json }: Options) => {
      if ((value === undefined) !== (unset === true)) {
        throw invalidArgument("Exactly one of a value and --unset is needed.");
      }
      const client = await cli.client();
      const now = await client.config.set({ key, value: value ?? null });
      if (json === true) cli.printJson(now);
      else {
        cli.print(`${now.key} = ${valueText(now.value)} (${now.source})`);
        if (now.needsRestart) cli.note("It takes effect when the daemon is restarted: holdfast daemon stop");
      }
    },
  );
}
