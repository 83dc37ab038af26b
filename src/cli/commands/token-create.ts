import { Command, Option } from "commander";
import { roles, type Role } from "../../protocol/access.ts";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { parsePositiveDuration } from "../parse/duration.ts";
import { given } from "../parse/given.ts";

interface Options extends JsonOption {
  readonly role?: Role;
  readonly for?: number;
  readonly forever?: boolean;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Make a token for a program and show it once: sent as the header `Authorization: Bearer TOKEN`.",
    )
    .argument("<name>", "what it is for; it is revoked by this name")
    .addOption(
      new Option(
        "--role <role>",
        "viewer sees, operator acts, admin also configures; default: viewer",
      ).choices([...roles]),
    )
    .addOption(
      new Option("--for <duration>", "how long it counts; default: 30d").argParser(parsePositiveDuration),
    )
    .addOption(new Option("--forever", "until it is revoked").conflicts("for"));
  return withJson(command).action(async (name: string, options: Options) => {
    const client = await cli.client();
    const forMs = options.forever === true ? null : options.for;
    const made = await client.token.create({ name, ...given({ role: options.role, forMs }) });
    if (options.json === true) {
      cli.printJson(made);
      return;
    }
    const until = made.expiresAt === null ? "until it is revoked" : `until ${made.expiresAt}`;
    cli.note(`${made.name} is ${made.role} at ${made.address} ${until}. This is shown once:`);
    cli.print(made.token);
  });
}
