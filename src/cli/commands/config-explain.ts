import { Command } from "commander";
import type { Cli } from "../context.ts";
import { valueText } from "../format/config-value.ts";
import { renderFacts } from "../format/facts.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell where a value comes from, and what else would have given one.")
    .argument("<key>", "as in output.tailBytes");
  return withJson(command).action(async (key: string, { json }: JsonOption) => {
    const client = await cli.client();
    const told = await client.config.explain({ key, directory: process.cwd() });
    if (json === true) {
      cli.printJson(told);
      return;
    }
    const others = told.candidates.map(({ value, source, place }): [string, string] => {
      return [source, `${valueText(value)}  (${place})`];
    });
    const facts: [string, string][] = [
      ["key", told.key],
      ["meaning", told.description],
      ["value", valueText(told.value)],
      ["variable", told.variable],
      ["restart", told.needsRestart ? "a change needs one" : "not needed"],
    ];
    cli.print(renderFacts([...facts, ...others], cli.paint));
  });
}
