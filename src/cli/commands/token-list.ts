import { Command } from "commander";
import type { TokenView } from "../../protocol/entry.ts";
import type { Cli } from "../context.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command().description("List the tokens of programs; what they are is kept nowhere.");
  return withJson(command).action(async ({ json }: JsonOption) => {
    const client = await cli.client();
    const { tokens } = await client.token.list({});
    if (json === true) cli.printJson(tokens);
    else cli.print(render(cli, tokens));
  });
}

function render(cli: Cli, tokens: readonly TokenView[]): string {
  const rows = tokens.map((token): Cell[] => {
    const isOver = token.expiresAt !== null && Date.parse(token.expiresAt) <= Date.now();
    return [
      { text: token.id },
      { text: token.name },
      { text: token.role },
      { text: token.expiresAt ?? "never", ...(isOver ? { colour: "red" as const } : {}) },
      { text: token.usedAt ?? "never" },
      { text: token.createdBy },
    ];
  });
  const headings = ["ID", "NAME", "ROLE", "EXPIRES", "USED", "BY"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
