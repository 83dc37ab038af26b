import { Command } from "commander";
import type { Cli } from "../context.ts";
import { valueText } from "../format/config-value.ts";
import { renderTable } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command().description("Tell every configuration key with its value.");
  return withJson(command).action(async ({ json }: JsonOption) => {
    const client = await cli.client();
    const { values } = await client.config.list({ directory: process.cwd() });
    if (json === true) {
      cli.printJson({ values });
      return;
    }
    const rows = values.map(({ key, value, source, description }) => [
      { text: key },
      { text: valueText(value) },
      { text: source, colour: source === "default" ? ("dim" as const) : undefined },
      { text: description },
    ]);
    const headings = ["KEY", "VALUE", "FROM", "MEANING"];
    cli.print(renderTable({ headings, rows, columns: cli.columns, paint: cli.paint }));
  });
}
