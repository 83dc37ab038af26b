import { Command } from "commander";
import type { Cli } from "../context.ts";
import { drainOption, withJson, type JsonOption } from "../options.ts";
import { restartDaemon, type Restarted } from "../restart-daemon.ts";

interface Options extends JsonOption {
  readonly drain?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Put a daemon of this release in the place of the one that runs; processes go on.")
    .addOption(drainOption());
  return withJson(command).action(async ({ json, drain }: Options) => {
    const restarted = await restartDaemon(cli.home, cli.environment, drain);
    if (json === true) cli.printJson(restarted);
    else cli.print(textOf(restarted));
  });
}

function textOf({ before, after, how, supervisor }: Restarted): string {
  const now = `process ${after.pid} (${after.version})`;
  const running = runningText(after.running);
  if (before === null) return `No daemon ran; one runs now: ${now}; ${running}`;
  const old = `process ${before.pid} (${before.version})`;
  return `The daemon, ${old}, ${happened(how, now, supervisor)}; ${running}`;
}

function happened(how: Restarted["how"], now: string, supervisor: Restarted["supervisor"]): string {
  const texts: Readonly<Record<Restarted["how"], string>> = {
    started: `was replaced by ${now}`,
    replaced: `was replaced by ${now}`,
    "replaced by another": `was replaced by ${now}, which somebody else started at the same moment`,
    "brought back": `has ended, and ${supervisor ?? "its service manager"} has started ${now}`,
    "started anew": `has started anew in its own place: ${now}`,
  };
  return texts[how];
}

function runningText(count: number): string {
  if (count === 0) return "nothing runs";
  return count === 1 ? "1 process goes on" : `${count} processes go on`;
}
