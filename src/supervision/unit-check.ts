// Is the unit of this home what this build would write, and is the daemon that runs the unit's own?
import type { Supervisor } from "../protocol/daemon.ts";
import type { Check } from "./check.ts";
import { unitCommands, unitMainPid } from "./service-manager.ts";
import { readUnit } from "./unit-file.ts";
import { planUnit, type DaemonFacts, type Scope, type UnitPlan } from "./unit-plan.ts";
import { compareUnit, type UnitComparison } from "./unit-text.ts";

export interface UnitQuestion extends DaemonFacts {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Another file system to look at; default: this one. */
  readonly root?: string;
  /** The daemon that runs; null when none does. */
  readonly daemonPid: number | null;
  /** Who started that daemon, as it saw it itself; null when nobody can tell. */
  readonly supervisor: Supervisor | null;
}

export interface FoundUnit {
  readonly plan: UnitPlan;
  readonly comparison: UnitComparison;
}

/** The units that were written for this home, of the user's manager and of the machine's. */
export function findUnits({ root, ...question }: UnitQuestion): FoundUnit[] {
  // The daemon's own account counts, not that of whoever became another user to ask.
  const environment = { ...question.environment, SUDO_USER: undefined };
  const scopes: readonly Scope[] = process.platform === "darwin" ? ["user"] : ["user", "system"];
  return scopes.flatMap((scope) => {
    const plan = planUnit({ ...question, environment, scope, root });
    const comparison = compareUnit(readUnit(plan.file), plan);
    return comparison.state === "missing" || comparison.state === "foreign" ? [] : [{ plan, comparison }];
  });
}

export async function checkUnits(question: UnitQuestion, units: readonly FoundUnit[]): Promise<Check[]> {
  const [first, second] = units;
  if (first === undefined) return [noUnit(question)];
  if (second !== undefined) return [twoUnits(first.plan, second.plan)];
  const isOwn = await whoseDaemon(first.plan, question);
  return [textCheck(first), daemonCheck(first.plan, question, isOwn)];
}

function noUnit({ supervisor }: UnitQuestion): Check {
  const isSupervised = supervisor !== null && supervisor.kind !== "none";
  const message = isSupervised
    ? `No unit of ours; the daemon was started by ${supervisor.name ?? supervisor.kind}.`
    : "No unit is installed: commands start the daemon, and nothing does so after a reboot (holdfast daemon install).";
  return { name: "unit", result: "ok", message };
}

function twoUnits(one: UnitPlan, other: UnitPlan): Check {
  return {
    name: "unit",
    result: "warning",
    message: `Two units are for this home, and only one daemon can have it: ${one.file} and ${other.file}.`,
    hint: "Remove one: holdfast daemon uninstall, or holdfast daemon uninstall --system.",
  };
}

function textCheck({ plan, comparison }: FoundUnit): Check {
  const { state, writtenBy, differences } = comparison;
  const name = "unit";
  if (state === "current") return { name, result: "ok", message: `${plan.file} is up to date.` };
  const isChanged = state === "changed";
  return {
    name,
    result: "warning",
    message: `${plan.file} ${isChanged ? "was changed by hand" : `is outdated: ${writtenBy} wrote it`}; other than this version would write: ${differences.join(", ")}.`,
    hint: installHint(plan, isChanged),
  };
}

function installHint(plan: UnitPlan, isForced: boolean): string {
  const install = ["holdfast", "daemon", "install", "--now"];
  const scope = plan.scope === "system" ? ["--system", "--user", plan.account.name] : [];
  const force = isForced ? ["--force"] : [];
  return [...install, ...scope, ...force].join(" ");
}

/** unknown: nobody here can tell, which is no reason to warn. */
type Whose = "own" | "manual" | "unknown";

async function whoseDaemon(
  plan: UnitPlan,
  { daemonPid, supervisor, environment }: UnitQuestion,
): Promise<Whose> {
  if (daemonPid === null) return "unknown";
  if (supervisor?.kind === plan.manager && supervisor.name === plan.fullName) return "own";
  const mainPid = await unitMainPid(plan, environment);
  if (mainPid === undefined) return "unknown";
  return mainPid === daemonPid ? "own" : "manual";
}

function daemonCheck(plan: UnitPlan, { daemonPid }: UnitQuestion, whose: Whose): Check {
  const name = "supervised";
  if (whose === "own") return { name, result: "ok", message: `${plan.fullName} runs this daemon.` };
  if (whose === "unknown") {
    const message = `Whether ${plan.fullName} runs the daemon of this home cannot be seen here.`;
    return { name, result: "ok", message };
  }
  return {
    name,
    result: "warning",
    message: `Process ${daemonPid} was started beside ${plan.fullName}, which cannot run while it does; nothing brings it back when it goes.`,
    hint: `Hand over, processes go on: holdfast daemon stop; ${unitCommands(plan).start.join(" ")}`,
  };
}
