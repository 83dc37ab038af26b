// What `daemon install` and `daemon uninstall` share: which unit is meant.
import { Option, type Command } from "commander";
import { daemonExitCode } from "../home/index.ts";
import { isHoldfastError } from "../protocol/errors.ts";
import { planUnit, type Manager, type UnitPlan } from "../supervision/index.ts";
import type { Cli } from "./context.ts";
import { readVersion } from "./version.ts";

export interface UnitOptions {
  readonly system?: boolean;
  readonly user?: string;
  readonly root?: string;
  readonly manager?: Manager;
  readonly dryRun?: boolean;
}

export function withUnitOptions(command: Command): Command {
  return command
    .option("--system", "for the machine's service manager instead of your own; needs root")
    .option("--user <name>", "with --system: whom the daemon runs as; default: you, also through sudo")
    .option("--root <directory>", "in the file system below this directory, as for systemctl --root")
    .addOption(
      new Option("--manager <name>", "default: the one of this operating system").choices([
        "systemd",
        "launchd",
      ]),
    )
    .option("--dry-run", "only tell what would be done");
}

/** @throws HoldfastError INVALID_ARGUMENT */
export async function planFrom(cli: Cli, options: UnitOptions): Promise<UnitPlan> {
  const { system, user, root, manager } = options;
  return planUnit({
    environment: cli.environment,
    scope: system === true ? "system" : "user",
    // Else the default home of the account it is for, which need not be ours.
    home: cli.environment["HOLDFAST_HOME"] ? cli.home : undefined,
    user,
    root,
    manager,
    version: readVersion(),
    exitCodes: daemonExitCode,
    drainMs: await configuredDrainMs(cli),
  });
}

/** Only a daemon knows the configuration. */
async function configuredDrainMs(cli: Cli): Promise<number | null> {
  try {
    const client = await cli.client({ start: false });
    const { value } = await client.config.get({ key: "daemon.drainMs" });
    return typeof value === "number" ? value : null;
  } catch (error) {
    if (isHoldfastError(error)) return null; // none runs: doctor tells later when the unit is too impatient
    throw error;
  }
}
