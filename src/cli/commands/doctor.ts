import { Command } from "commander";
import type { Cli } from "../context.ts";
import { safeText } from "../format/safe-text.ts";
import type { Colour } from "../format/style.ts";
import { withJson, type JsonOption } from "../options.ts";

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
    const client = await cli.client();
    const { checks } = await client.doctor();
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
