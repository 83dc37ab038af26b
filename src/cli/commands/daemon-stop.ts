import { Command } from "commander";
import type { Cli } from "../context.ts";
import { drainOption, withJson, type JsonOption } from "../options.ts";
import { stopDaemon, type StoppedDaemon } from "../stop-daemon.ts";

interface Options extends JsonOption {
  readonly drain?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "End the daemon; processes go on, and the next daemon finds them. A second stop does not wait.",
    )
    .addOption(drainOption());
  return withJson(command).action(async ({ json, drain }: Options) => {
    const stopped = await stopDaemon(cli.home, { drainMs: drain });
    if (json === true) cli.printJson(factsOf(stopped));
    else cli.print(textOf(cli.home, stopped));
  });
}

function factsOf(stopped: StoppedDaemon | undefined): object {
  if (stopped === undefined) return { stopped: false, pid: null, killed: false };
  return { stopped: true, pid: stopped.pid, killed: stopped.ending === "killed" };
}

function textOf(home: string, stopped: StoppedDaemon | undefined): string {
  if (stopped === undefined) return `No daemon runs for ${home}`;
  const { pid, ending, hasEnded } = stopped;
  if (ending === "killed") return `The daemon, process ${pid}, was killed: nothing is lost by that`;
  return hasEnded
    ? `The daemon, process ${pid}, has ended`
    : `Process ${pid} has let go of ${home} and goes on`;
}
