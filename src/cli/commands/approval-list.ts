import { Command } from "commander";
import type { ApprovalView } from "../../protocol/policy.ts";
import type { Cli } from "../context.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { parsePositive } from "../parse/numbers.ts";

interface Options extends JsonOption {
  readonly all?: boolean;
  readonly session?: string;
  readonly limit?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("List commands that wait for a person's word, newest first: open ones, or all with -a.")
    .option("-a, --all", "also those that were answered, or whose time is over")
    .option("--session <key>", "only of this session")
    .option("-n, --limit <count>", "at most so many", parsePositive);
  return withJson(command).action(async ({ all, session, limit, json }: Options) => {
    const client = await cli.client();
    const states = all === true ? {} : { states: ["pending" as const] };
    const { approvals } = await client.approval.list({ ...states, ...given({ session, limit }) });
    if (json === true) cli.printJson(approvals);
    else cli.print(render(cli, approvals));
  });
}

function render(cli: Cli, approvals: readonly ApprovalView[]): string {
  const rows = approvals.map((approval): Cell[] => [
    { text: approval.id },
    { text: approval.state, colour: approval.state === "pending" ? "yellow" : "dim" },
    { text: approval.session ?? "-" },
    { text: approval.answeredAt ?? approval.expiresAt },
    { text: [...new Set(approval.reasons.map(({ rule }) => rule))].join(", ") },
    { text: approval.command },
  ]);
  const headings = ["ID", "STATE", "SESSION", "UNTIL", "RULE", "COMMAND"];
  return renderTable({ headings, rows, columns: cli.columns, paint: cli.paint });
}
