import { Command } from "commander";
import { readPresence } from "../../home/index.ts";
import { HoldfastError } from "../../protocol/errors.ts";
import {
  installUnit,
  isManagerRunning,
  lingers,
  runCommand,
  temporaryProgram,
  unitCommands,
  unitText,
  type Command as UnitCommand,
  type Installation,
  type UnitPlan,
} from "../../supervision/index.ts";
import type { Cli } from "../context.ts";
import { safeText } from "../format/safe-text.ts";
import { withJson, type JsonOption } from "../options.ts";
import { stopDaemon } from "../stop-daemon.ts";
import { unitAnswers } from "../unit-daemon.ts";
import { planFrom, withUnitOptions, type UnitOptions } from "../unit-options.ts";

interface Options extends UnitOptions, JsonOption {
  readonly print?: boolean;
  readonly now?: boolean;
  readonly force?: boolean;
}

export function define(cli: Cli): Command {
  const command = withUnitOptions(
    new Command().description(
      "Let systemd or launchd run the daemon: write its unit, one per home, and tell what to do next.",
    ),
  )
    .option("--print", "print the unit, change nothing")
    .option("--now", "also enable and start it; a daemon that runs beside it hands over")
    .option("--force", "also over a file that is not ours, and for a home in a temporary directory");
  return withJson(command).action(async (options: Options) => {
    const plan = await planFrom(cli, options);
    if (options.print === true) {
      cli.print(unitText(plan));
      return;
    }
    const write = options.dryRun !== true;
    const installation = installUnit(plan, { force: options.force === true, write });
    const isRunning = isManagerRunning(plan, cli.environment);
    const isStarted = write && options.now === true;
    if (isStarted) await startNow(cli, plan, commandsFor(plan, installation), isRunning);
    if (options.json === true) cli.printJson(summary(plan, installation, { isRunning, isStarted }));
    else tell(cli, plan, { installation, isRunning, isStarted, write });
  });
}

function summary(
  { manager, scope, name, file, home }: UnitPlan,
  { action, previous }: Installation,
  { isRunning, isStarted }: { isRunning: boolean; isStarted: boolean },
): object {
  return {
    action,
    previous: previous.state,
    manager,
    scope,
    name,
    file,
    home,
    managerRunning: isRunning,
    started: isStarted,
  };
}

function commandsFor(plan: UnitPlan, { action }: Installation): readonly UnitCommand[] {
  const { enable, renew } = unitCommands(plan);
  return action === "replaced" ? renew : enable;
}

async function startNow(
  cli: Cli,
  plan: UnitPlan,
  commands: readonly UnitCommand[],
  isRunning: boolean,
): Promise<void> {
  if (!isRunning) {
    throw new HoldfastError(
      "SERVICE_MANAGER_FAILED",
      `${plan.file} is in place, but no ${plan.manager} runs here that would read it.`,
      { hint: `When one does: ${commandLines(plan, commands).join("; ")}` },
    );
  }
  if (daemonBeside(plan) !== undefined) await stopDaemon(plan.home);
  for (const command of commands) await runCommand(command, cli.environment);
  // Another user's daemon does not answer us.
  if (plan.account.uid !== process.getuid?.() || (await unitAnswers(plan, cli.environment))) return;
  throw new HoldfastError(
    "SERVICE_MANAGER_FAILED",
    `${plan.fullName} was started, but its daemon does not answer.`,
    {
      hint: "See why: holdfast daemon logs; holdfast doctor",
    },
  );
}

/** The process that has the home now and is not the unit's; undefined when there is none, or nobody can tell. */
function daemonBeside(plan: UnitPlan): number | undefined {
  const { state, owner, status } = readPresence(plan.home);
  const isUnits =
    status !== null && status.writer.pid === owner?.pid && status.supervisor.name === plan.fullName;
  return state === "running" && !isUnits ? owner?.pid : undefined;
}

function commandLines(plan: UnitPlan, commands: readonly UnitCommand[]): string[] {
  return [...commands.map((command) => command.join(" ")), ...lingerLines(plan)];
}

function lingerLines({ manager, scope, account, root }: UnitPlan): string[] {
  const isNeeded = manager === "systemd" && scope === "user" && lingers(account.name, root) === false;
  return isNeeded ? [`loginctl enable-linger ${account.name}`] : [];
}

interface Told {
  readonly installation: Installation;
  readonly isRunning: boolean;
  readonly isStarted: boolean;
  readonly write: boolean;
}

function tell(cli: Cli, plan: UnitPlan, { installation, isRunning, isStarted, write }: Told): void {
  cli.print(safeText(whatWasDone(plan, installation, write)));
  if (isStarted) {
    cli.print(`${plan.fullName} is enabled and runs.`);
    for (const line of lingerLines(plan)) cli.print(`So that nothing ends with your last logout: ${line}`);
  } else {
    cli.print(isRunning ? "Next:" : `No ${plan.manager} runs here that would read it. When one does:`);
    for (const line of commandLines(plan, commandsFor(plan, installation))) cli.print(`  ${line}`);
    const beside = daemonBeside(plan);
    if (beside !== undefined) {
      cli.note(
        `Process ${beside} has this home now: holdfast daemon stop first, and the unit can have it. Processes go on.`,
      );
    }
  }
  const remark = temporaryProgram(plan);
  if (remark !== undefined) cli.note(remark);
  const isRootsOwn = process.getuid?.() === 0 && plan.scope === "user" && plan.manager === "systemd";
  if (isRootsOwn) cli.note(aboutRoot(cli));
}

function whatWasDone({ file }: UnitPlan, { action, previous }: Installation, write: boolean): string {
  if (action === "unchanged") return `${file} is up to date.`;
  if (action === "written") return `${write ? "Wrote" : "Would write"} ${file}`;
  const settings = previous.differences.length === 0 ? "" : ` (${previous.differences.join(", ")})`;
  const why =
    previous.state === "outdated" ? `it was outdated${settings}` : `it was ${previous.state}${settings}`;
  return `${write ? "Replaced" : "Would replace"} ${file}: ${why}.`;
}

function aboutRoot(cli: Cli): string {
  const sudoUser = cli.environment["SUDO_USER"];
  const forWhom = sudoUser
    ? `For yourself, run it without sudo; to run it as ${sudoUser} from the machine's start on, add --system.`
    : "For the machine's own, which needs no login, add --system (and --user NAME for another user).";
  return `This is the unit of root's own service manager. ${forWhom}`;
}
