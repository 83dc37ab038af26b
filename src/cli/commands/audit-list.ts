import { Command, Option } from "commander";
import type { AuditEntry, Decision } from "../../protocol/policy.ts";
import type { Cli } from "../context.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { parsePositive } from "../parse/numbers.ts";

interface Options extends JsonOption {
  readonly session?: string;
  readonly decision?: Decision;
  readonly limit?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Tell what was decided about commands, and what whoever came by the network did, and by whom; the newest last.",
    )
    .option("--session <key>", "only of this session")
    .addOption(new Option("--decision <decision>", "only this one").choices(["allow", "ask", "deny"]))
    .option("-n, --limit <count>", "at most so many", parsePositive);
  return withJson(command).action(async ({ session, decision, limit, json }: Options) => {
    const client = await cli.client();
    const { entries } = await client.audit.list(given({ session, decision, limit }));
    if (json === true) cli.printJson(entries);
    else cli.print(render(cli, entries));
  });
}

function render(cli: Cli, entries: readonly AuditEntry[]): string {
  const rows = entries.map((entry): Cell[] => [
    { text: entry.at },
    { text: entry.what },
    { text: entry.decision, ...(entry.decision === "deny" ? { colour: "red" as const } : {}) },
    { text: entry.session ?? "-" },
    { text: entry.rules.join(", ") || "-" },
    { text: entry.by },
    { text: entry.command ?? "-" },
  ]);
  const headings = ["TIME", "WHAT", "DECISION", "SESSION", "RULE", "BY", "COMMAND"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
