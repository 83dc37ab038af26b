import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { tellBarrier } from "../tell-barrier.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Tell whether a session still has to wait, and why.")
    .argument("<session>", "the key of the session");
  return withJson(command).action(async (session: string, { json }: JsonOption) => {
    const client = await cli.client();
    tellBarrier(cli, await client.barrier.get({ session }), json === true);
  });
}
