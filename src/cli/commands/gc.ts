import { Command } from "commander";
import type { Cli } from "../context.ts";
import { formatSize } from "../format/size.ts";
import { withJson, type JsonOption } from "../options.ts";

interface Options extends JsonOption {
  readonly dryRun?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Remove what retention no longer keeps. The daemon does so by itself from time to time.")
    .option("--dry-run", "only tell what would go");
  return withJson(command).action(async ({ dryRun, json }: Options) => {
    const client = await cli.client();
    const swept = await client.gc({ dryRun: dryRun === true });
    if (json === true) {
      cli.printJson(swept);
      return;
    }
    const would = dryRun === true ? "would be " : "";
    for (const id of swept.removed) cli.print(`${id} ${would}removed`);
    for (const id of swept.outputRemoved) cli.print(`${id}: its output ${would}removed`);
    cli.print(`${formatSize(swept.freedBytes)} ${would}freed`);
  });
}
