import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Ask again: end one grant, or everything that was lifted or granted for a session.")
    .argument("<grant-or-session>", "the id of a grant (g_…), or the key of a session");
  return withJson(command).action(async (which: string, { json }: JsonOption) => {
    const client = await cli.client();
    const isGrant = /^g_[a-z0-9]{12}$/.test(which);
    const restored = await client.policy.restore(isGrant ? { grant: which } : { session: which });
    if (json === true) cli.printJson(restored);
    else cli.print(restored.ended === 1 ? "1 grant ended" : `${restored.ended} grants ended`);
  });
}
