import { Command } from "commander";
import type { SessionDetail } from "../../protocol/sessions.ts";
import type { Cli } from "../context.ts";
import { formatDuration } from "../format/duration.ts";
import { renderTable, type Cell } from "../format/table.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command().description("List sessions that have not ended, the last active first.");
  return withJson(command).action(async ({ json }: JsonOption) => {
    const client = await cli.client();
    const { sessions } = await client.session.list({});
    if (json === true) cli.printJson(sessions);
    else cli.print(render(cli, sessions));
  });
}

function render(cli: Cli, sessions: readonly SessionDetail[]): string {
  const now = Date.now();
  const rows = sessions.map((session): Cell[] => [
    { text: session.session },
    { text: `${formatDuration(Math.max(0, now - Date.parse(session.activeAt)))} ago` },
    {
      text:
        session.endsAt === null ? "-" : `in ${formatDuration(Math.max(0, Date.parse(session.endsAt) - now))}`,
    },
    { text: String(session.running) },
    { text: session.shell?.cwd ?? "-" },
  ]);
  return renderTable({
    headings: ["SESSION", "ACTIVE", "ENDS", "RUNNING", "DIRECTORY"],
    rows,
    columns: cli.columns,
    paint: cli.paint,
  });
}
