import { Command } from "commander";
import { daemonExitCode } from "../../home/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import { checkSupervision, type Check } from "../../supervision/index.ts";
import type { Cli } from "../context.ts";
import { safeText } from "../format/safe-text.ts";
import type { Colour } from "../format/style.ts";
import { withJson, type JsonOption } from "../options.ts";
import { readVersion } from "../version.ts";

const colours: Readonly<Record<"ok" | "warning" | "problem", Colour>> = {
  ok: "green",
  warning: "yellow",
  problem: "red",
};

const problemExitCode = 1;

export function define(cli: Cli): Command {
  const command = new Command().description(
    "Look for what is wrong with this home and machine: exit code 1 when there is a problem.",
  );
  return withJson(command).action(async ({ json }: JsonOption) => {
    const checks = await findFaults(cli);
    if (json === true) cli.printJson({ checks });
    else {
      for (const { name, result, message, hint } of checks) {
        cli.print(`${cli.paint(colours[result], result.padEnd(7))}  ${name}: ${safeText(message)}`);
        if (hint !== undefined) cli.print(`         ${safeText(hint)}`);
      }
    }
    cli.exitCode = checks.some(({ result }) => result === "problem") ? problemExitCode : 0;
  });
}

async function findFaults(cli: Cli): Promise<readonly Check[]> {
  try {
    const client = await cli.client();
    const { checks } = await client.doctor();
    return checks;
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    // A home in which no daemon can run needs a doctor most: what can be seen without one is told.
    const { message, hint } = error;
    return [{ name: "daemon", result: "problem", message, hint }, ...(await checkPlace(cli))];
  }
}

function checkPlace({ home, environment }: Cli): Promise<Check[]> {
  return checkSupervision({
    home,
    environment,
    version: readVersion(),
    exitCodes: daemonExitCode,
    drainMs: null,
    daemonPid: null,
    supervisor: null,
  });
}
