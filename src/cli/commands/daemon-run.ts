import { Command } from "commander";
import { HoldfastError } from "../../protocol/errors.ts";
import type { Cli } from "../context.ts";
import { daemonProgram } from "../daemon-program.ts";
import { daemonVariables } from "../start-daemon.ts";

export function define(cli: Cli): Command {
  return new Command()
    .description("Be the daemon, in the foreground: for systemd, launchd and containers.")
    .action(() => {
      if (process.execve === undefined) {
        throw new HoldfastError("UNSUPPORTED_PLATFORM", "This Node cannot replace its own process.");
      }
      // In place, so that a service manager watches the daemon itself.
      process.execve(process.execPath, [process.execPath, daemonProgram()], stringsOf(cli));
    });
}

function stringsOf(cli: Cli): Record<string, string> {
  // Inside a kept process it stays there: whoever wants it kept in the foreground means that.
  const { HOLDFAST_RUN: _keptBy, ...environment } = cli.environment;
  const entries = Object.entries(daemonVariables(cli.home, environment));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
