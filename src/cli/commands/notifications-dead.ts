import { Command } from "commander";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { Cli } from "../context.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command().description("List deliveries that were given up, or that wait for a person.");
  return withJson(command).action(async ({ json }: JsonOption) => {
    const client = await cli.client();
    const dead = await client.notifications.dead();
    if (json === true) cli.printJson(dead);
    else cli.print(render(cli, dead));
    if (json === true) return;
    for (const { name, reason } of dead.sinks)
      cli.note(`sink ${name} is turned off: ${reason ?? "no reason is known"}`);
  });
}

function render(cli: Cli, { deliveries }: OperationOutput<"notifications.dead">): string {
  const rows = deliveries.map(({ sink, state, attempts, at, lastError, notice }): Cell[] => [
    { text: notice.id },
    { text: sink },
    { text: state === "needs_person" ? "needs a person" : "given up", colour: "red" },
    { text: String(attempts) },
    { text: at },
    { text: lastError ?? "" },
  ]);
  const headings = ["NOTICE", "SINK", "STATE", "TRIED", "AT", "WHY"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
