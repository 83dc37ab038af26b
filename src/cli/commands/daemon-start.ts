import { setTimeout as delay } from "node:timers/promises";
import { Command } from "commander";
import type { Client } from "../../client/index.ts";
import type { DaemonStatus } from "../../protocol/daemon.ts";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

const lookAgainMs = 50;

export function define(cli: Cli): Command {
  const command = new Command().description(
    "Start the daemon in the background, unless one runs. Every command that needs it does so by itself.",
  );
  return withJson(command).action(async ({ json }: JsonOption) => {
    const status = await stayingDaemon(await cli.client());
    if (json === true) cli.printJson(status);
    else cli.print(`The daemon of ${status.home} runs as process ${status.pid}`);
  });
}

/** One that is about to go is let go; the client then starts another. */
async function stayingDaemon(client: Client): Promise<DaemonStatus> {
  for (;;) {
    const status = await client.daemon.status();
    if (status.state !== "draining") return status;
    await delay(lookAgainMs);
  }
}
