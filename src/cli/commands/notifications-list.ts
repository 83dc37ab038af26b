import { Command } from "commander";
import type { NoticeWithText } from "../../protocol/notices.ts";
import type { Cli } from "../context.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { noticeFilterOf, withNoticeFilter, type NoticeFilterOptions } from "../notice-options.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { parseCount, parsePositive } from "../parse/numbers.ts";

interface Options extends JsonOption, NoticeFilterOptions {
  readonly all?: boolean;
  readonly after?: number;
  readonly limit?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("List notices, oldest first: those that are owed and not yet looked at, or all with -a.")
    .option("-a, --all", "also those that were looked at, seen or acknowledged, and those nobody asked for")
    .option("--after <cursor>", "only those after this cursor", parseCount)
    .option("-n, --limit <count>", "at most so many", parsePositive);
  return withJson(withNoticeFilter(command)).action((options: Options) => list(cli, options));
}

async function list(cli: Cli, options: Options): Promise<void> {
  const client = await cli.client();
  const listed = await client.notifications.list({
    ...noticeFilterOf(options),
    ...given({ after: options.after, limit: options.limit }),
    unread: options.all !== true,
  });
  if (options.json === true) cli.printJson(listed.notices);
  else cli.print(render(cli, listed.notices));
}

function render(cli: Cli, notices: readonly NoticeWithText[]): string {
  const rows = notices.map((notice): Cell[] => [
    { text: notice.id },
    { text: notice.at },
    { text: notice.state, colour: notice.state === "pending" ? "yellow" : "dim" },
    { text: notice.kind },
    { text: firstLine(notice.text) },
  ]);
  return renderTable({
    headings: ["ID", "AT", "STATE", "KIND", "WHAT"],
    rows,
    columns: cli.columns,
    paint: cli.paint,
  });
}

/** Without the head that names the notice: the first column does. */
function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").replace(/^\[Holdfast notice \S+\] /, "");
}
