import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { parseDuration } from "../parse/duration.ts";
import { given } from "../parse/given.ts";

interface Options extends JsonOption {
  readonly grace?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "End a session for good: processes of lifetime session stop, what its shell remembers is forgotten; its notices stay.",
    )
    .argument("<session>", "the key of the session")
    .option("--grace <duration>", "between asking its processes to end and killing them", parseDuration);
  return withJson(command).action(async (session: string, { grace, json }: Options) => {
    const client = await cli.client();
    const answer = await client.session.end({ session, ...given({ graceMs: grace }) });
    if (json === true) {
      cli.printJson(answer);
      return;
    }
    for (const { id, outcome } of answer.results) cli.print(`${id} ${outcome}`);
    cli.print(`${session} has ended`);
  });
}
