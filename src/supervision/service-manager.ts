// The service manager itself: whether one runs that could take the unit, and the commands that a person, or --now, gives it.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";
import type { UnitPlan } from "./unit-plan.ts";

export type Command = readonly [program: string, ...args: string[]];

export interface UnitCommands {
  /** Makes it known, starts it, and lets it start by itself. */
  readonly enable: readonly Command[];
  /** The same for a file that was there before: the daemon is started again from the new one, processes go on. */
  readonly renew: readonly Command[];
  /** Before the file goes. */
  readonly disable: readonly Command[];
  /** After the file has gone. */
  readonly forget: readonly Command[];
  readonly start: Command;
}

const commandTimeoutMs = 60_000;

export function unitCommands({ manager, scope, fullName, file, account }: UnitPlan): UnitCommands {
  if (manager === "launchd") {
    const domain = `gui/${account.uid}`;
    const bootstrap: Command = ["launchctl", "bootstrap", domain, file];
    const bootout: Command = ["launchctl", "bootout", `${domain}/${fullName}`];
    return {
      enable: [bootstrap],
      renew: [bootout, bootstrap],
      disable: [bootout],
      forget: [],
      start: ["launchctl", "kickstart", `${domain}/${fullName}`],
    };
  }
  const systemctl = (...args: string[]): Command =>
    scope === "user" ? ["systemctl", "--user", ...args] : ["systemctl", ...args];
  const reload = systemctl("daemon-reload");
  return {
    enable: [reload, systemctl("enable", "--now", fullName)],
    renew: [reload, systemctl("enable", fullName), systemctl("restart", fullName)],
    disable: [systemctl("disable", "--now", fullName)],
    forget: [reload],
    start: systemctl("start", fullName),
  };
}

/** Does one run here that reads the folder of this unit? What is prepared for another root is for later. */
export function isManagerRunning(plan: UnitPlan, environment: NodeJS.ProcessEnv): boolean {
  if (plan.root !== "") return false;
  if (plan.manager === "launchd") return process.platform === "darwin";
  if (plan.scope === "system") return existsSync("/run/systemd/system");
  return existsSync(join(runtimeDirectory(environment), "systemd/private"));
}

/** Logins by su, sudo or cron lack the variable; the folder is there all the same while the user's manager runs. */
function runtimeDirectory(environment: NodeJS.ProcessEnv): string {
  return environment["XDG_RUNTIME_DIR"] || `/run/user/${process.getuid?.() ?? 0}`;
}

/** Its standard output. @throws HoldfastError SERVICE_MANAGER_FAILED */
export async function runCommand(command: Command, environment: NodeJS.ProcessEnv): Promise<string> {
  const [program, ...args] = command;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const env = { ...environment, XDG_RUNTIME_DIR: runtimeDirectory(environment) };
  execFile(program, args, { env, timeout: commandTimeoutMs }, (error, stdout, stderr) => {
    if (error === null) return resolve(stdout);
    const why = stderr.trim() || error.message;
    reject(
      new HoldfastError("SERVICE_MANAGER_FAILED", `${command.join(" ")} failed: ${why}`, {
        details: { command },
        cause: error,
      }),
    );
  });
  return await promise;
}

/**
 * What its manager is doing with the unit, in the manager's word: running, start, auto-restart, dead, failed. Undefined when nobody can
 * tell.
 */
export async function unitSubState(
  plan: UnitPlan,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  return await showProperty(plan, "SubState", environment);
}

/** Of the daemon that the unit runs; 0 when it runs none, undefined when nobody can tell. */
export async function unitMainPid(
  plan: UnitPlan,
  environment: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  const text = await showProperty(plan, "MainPID", environment);
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

async function showProperty(
  plan: UnitPlan,
  property: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (plan.manager !== "systemd" || !isManagerRunning(plan, environment)) return undefined;
  const scope = plan.scope === "user" ? ["--user"] : [];
  try {
    const show: Command = ["systemctl", ...scope, "show", `--property=${property}`, "--value", plan.fullName];
    return (await runCommand(show, environment)).trim() || undefined;
  } catch (error) {
    if (isHoldfastError(error, "SERVICE_MANAGER_FAILED")) return undefined;
    throw error;
  }
}
