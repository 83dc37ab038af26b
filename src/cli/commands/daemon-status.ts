import { Command } from "commander";
import type { Cli } from "../context.ts";
import { daemonReport, type DaemonReport } from "../daemon-report.ts";
import { formatDuration } from "../format/duration.ts";
import { renderFacts } from "../format/facts.ts";
import { withJson, type JsonOption } from "../options.ts";
import { readVersion } from "../version.ts";

export function define(cli: Cli): Command {
  const command = new Command().description(
    "Tell who runs this home and how it is; starts and disturbs nobody.",
  );
  return withJson(command).action(async ({ json }: JsonOption) => {
    const report = await daemonReport(cli.home);
    if (json === true) cli.printJson(report);
    else cli.print(renderReport(cli, report));
  });
}

function renderReport(cli: Cli, report: DaemonReport): string {
  const { pid, owner, supervisor } = report;
  const isThere = pid !== null;
  return renderFacts(
    [
      ["state", stateText(report)],
      ["pid", isThere ? `${pid}${owner?.liveness === "stopped" ? " (state T)" : ""}` : null],
      ["version", versionText(report)],
      ["home", report.home],
      [isThere ? "since" : "last heard", sinceText(report)],
      [
        "supervisor",
        supervisor === null ? null : [supervisor.kind, supervisor.name].filter(Boolean).join(" "),
      ],
      ["running", numberText(report.running)],
      ["known", numberText(report.processes)],
      ["launcher", report.answers ? (numberText(report.launcherPid) ?? "not reached") : null],
      ...report.listeners.map(
        ({ name, address, state, errorCode, message }) =>
          [name, [address, state, errorCode, message].filter(Boolean).join(" ")] as const,
      ),
      ["before it", isThere ? previousText(report) : null],
      ...report.problems.map((problem) => ["problem", problem] as const),
      ["why", report.reason],
      ["next", report.advice],
    ],
    cli.paint,
  );
}

function stateText({ state, detail, answers, pid }: DaemonReport): string {
  const finer = state === detail ? state : `${state} (${detail})`;
  return pid !== null && !answers ? `${finer}, does not answer` : finer;
}

function versionText({ version }: DaemonReport): string {
  const own = readVersion();
  return version === own ? version : `${version} (this command line is ${own}: holdfast daemon restart)`;
}

function sinceText({ since }: DaemonReport): string | null {
  return since === null ? null : `${since} (${formatDuration(Math.max(0, Date.now() - Date.parse(since)))})`;
}

/** Told only of one that did not say itself why it went. */
function previousText({ runtime }: DaemonReport): string | null {
  const previous = runtime?.previousEnd ?? null;
  if (previous === null || previous.how === "left") return null;
  const how = previous.how === "unknown" ? "killed or rebooted" : previous.how;
  return `process ${previous.pid}, ${how}${previous.lastSeenAt === null ? "" : `, last seen ${previous.lastSeenAt}`}`;
}

function numberText(number: number | null): string | null {
  return number === null ? null : String(number);
}
