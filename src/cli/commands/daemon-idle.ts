import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

type Answer = OperationOutput<"daemon.idle">;

// Not a code of the error registry: the answer "no" is no error. Those have codes of their own, and none of them means idle.
const busyExitCode = 1;

export function define(cli: Cli): Command {
  const command = new Command().description(
    "Tell whether nothing runs, waits or is to be delivered, for hosts that scale to zero: exit code 0 for idle, 1 for busy.",
  );
  return withJson(command).action(async ({ json }: JsonOption) => {
    const answer = hasRuns(cli.home) ? await (await cli.client()).daemon.idle() : neverUsed;
    if (json === true) cli.printJson(answer);
    else cli.print(textOf(answer));
    cli.exitCode = answer.idle ? 0 : busyExitCode;
  });
}

const neverUsed: Answer = { idle: true, sources: [] };

/** Processes run without a daemon too, so one is asked wherever there are runs; what cannot be read may have some. */
function hasRuns(home: string): boolean {
  try {
    // Names with a dot are directories made ahead of need.
    return readdirSync(join(home, "runs")).some((name) => !name.startsWith("."));
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT");
  }
}

function textOf({ idle, sources }: Answer): string {
  if (idle) return "idle";
  const busy = sources.filter(({ count }) => count !== 0);
  return `busy: ${busy.map(({ name, count }) => `${name} ${count ?? "unknown"}`).join(", ")}`;
}
