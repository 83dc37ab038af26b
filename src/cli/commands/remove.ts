import { Command } from "commander";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";
import { knownCode, tellPartFailures } from "../part-failures.ts";

interface Options extends JsonOption {
  readonly force?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Forget ended processes and delete their output.")
    .argument("<id...>", processArgument)
    .option("-f, --force", "stop those that still run first");
  return withJson(command).action(async (ids: string[], { force, json }: Options) => {
    const client = await cli.client();
    const { results } = await client.process.remove({ ids, force: force === true });
    if (json === true) cli.printJson({ results });
    else for (const { id, removed } of results) if (removed) cli.print(`${id} removed`);
    const failures = results.flatMap(({ error }) =>
      error === undefined ? [] : [{ ...error, code: knownCode(error.code) }],
    );
    cli.exitCode = tellPartFailures(cli, failures, json === true);
  });
}
