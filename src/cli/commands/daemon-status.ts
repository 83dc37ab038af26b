import { Command } from "commander";
import type { DaemonStatus } from "../../protocol/daemon.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { Cli } from "../context.ts";
import { formatDuration } from "../format/duration.ts";
import { renderFacts } from "../format/facts.ts";
import { withJson, type JsonOption } from "../options.ts";
import { readVersion } from "../version.ts";

export function define(cli: Cli): Command {
  const command = new Command().description("Tell how the daemon is; starts none.");
  return withJson(command).action(async ({ json }: JsonOption) => {
    const status = await askStatus(cli);
    if (json === true) cli.printJson(status ?? stopped(cli));
    else if (status === undefined) cli.print(`stopped: no daemon runs for ${cli.home}`);
    else cli.print(renderStatus(cli, status));
  });
}

async function askStatus(cli: Cli): Promise<DaemonStatus | undefined> {
  try {
    const client = await cli.client({ start: false });
    return await client.daemon.status();
  } catch (error) {
    if (isHoldfastError(error, "DAEMON_UNREACHABLE")) return undefined;
    throw error;
  }
}

/** The same fields, with what is known without one. */
function stopped(cli: Cli): object {
  return {
    state: "stopped",
    pid: null,
    version: readVersion(),
    home: cli.home,
    startedAt: null,
    running: null,
    processes: null,
    launcherPid: null,
    problems: [],
  };
}

function renderStatus(cli: Cli, status: DaemonStatus): string {
  const own = readVersion();
  const other =
    status.version === own ? "" : ` (this command line is ${own}: holdfast daemon stop, then any command)`;
  return renderFacts(
    [
      ["state", status.state],
      ["pid", String(status.pid)],
      ["version", status.version + other],
      ["home", status.home],
      ["since", `${status.startedAt} (${formatDuration(Date.now() - Date.parse(status.startedAt))})`],
      ["running", String(status.running)],
      ["known", String(status.processes)],
      ["launcher", status.launcherPid === null ? "not reached" : String(status.launcherPid)],
      ...status.problems.map((problem) => ["problem", problem] as const),
    ],
    cli.paint,
  );
}
