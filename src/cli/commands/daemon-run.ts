import { Command } from "commander";
import { HoldfastError } from "../../protocol/errors.ts";
import type { Cli } from "../context.ts";
import { daemonProgram } from "../daemon-program.ts";
import { drainOption } from "../options.ts";
import { daemonVariables } from "../start-daemon.ts";

interface Options {
  readonly replace?: boolean;
  readonly drain?: number;
  readonly insecure?: boolean;
}

export function define(cli: Cli): Command {
  return new Command()
    .description("Be the daemon, in the foreground: for systemd, launchd and containers.")
    .option("--replace", "take the place of the daemon that runs; its processes go on")
    .addOption(drainOption())
    .option(
      "--insecure",
      "DANGEROUS: let whoever reaches the dashboard do everything, and ask nobody who they are",
    )
    .action((options: Options) => {
      if (process.execve === undefined) {
        throw new HoldfastError("UNSUPPORTED_PLATFORM", "This Node cannot replace its own process.");
      }
      const args = [daemonProgram(), ...daemonArguments(options)];
      // In place, so that a service manager watches the daemon itself.
      process.execve(process.execPath, [process.execPath, ...args], stringsOf(cli));
    });
}

/** For the daemon's program. */
export function daemonArguments({ replace, drain, insecure }: Options): string[] {
  return [
    ...(replace === true ? ["--replace"] : []),
    ...(drain === undefined ? [] : ["--drain-ms", String(drain)]),
    ...(insecure === true ? ["--insecure"] : []),
  ];
}

function stringsOf(cli: Cli): Record<string, string> {
  // Inside a kept process it stays there: whoever wants it kept in the foreground means that.
  const { HOLDFAST_RUN: _keptBy, ...environment } = cli.environment;
  // Of the terminal its log is shown on.
  const { NO_COLOR, TERM } = environment;
  const entries = Object.entries({ ...daemonVariables(cli.home, environment), NO_COLOR, TERM });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
