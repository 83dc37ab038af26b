import { Command } from "commander";
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { waitUntilGone } from "../process-gone.ts";

// The daemon gives open requests a few seconds to finish.
const goneTimeoutMs = 15_000;

export function define(cli: Cli): Command {
  const command = new Command().description(
    "End the daemon; processes go on, and the next daemon finds them.",
  );
  return withJson(command).action(async ({ json }: JsonOption) => {
    const stopping = await askStop(cli);
    if (stopping !== undefined && !(await waitUntilGone(stopping.pid, goneTimeoutMs))) {
      throw new HoldfastError("DAEMON_STOPPING", `The daemon, process ${stopping.pid}, has not ended yet.`, {
        hint: `Wait a little, or kill -9 ${stopping.pid}: nothing is lost by that.`,
      });
    }
    if (json === true) cli.printJson({ stopped: stopping !== undefined, pid: stopping?.pid ?? null });
    else
      cli.print(
        stopping === undefined
          ? `No daemon runs for ${cli.home}`
          : `The daemon, process ${stopping.pid}, has ended`,
      );
  });
}

async function askStop(cli: Cli): Promise<OperationOutput<"daemon.stop"> | undefined> {
  try {
    const client = await cli.client({ start: false });
    return await client.daemon.stop();
  } catch (error) {
    if (isHoldfastError(error, "DAEMON_UNREACHABLE")) return undefined;
    throw error;
  }
}
