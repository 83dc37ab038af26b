import { Command } from "commander";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Owe a notice again, and push it again to where it was given up.")
    .argument("<notice>", "its id");
  return withJson(command).action(async (notice: string, { json }: JsonOption) => {
    const client = await cli.client();
    const answer = await client.notifications.replay({ notice });
    if (json === true) cli.printJson(answer);
    else cli.print(`${notice} is owed again${pushed(answer.deliveries)}`);
  });
}

function pushed(deliveries: number): string {
  if (deliveries === 0) return "";
  return deliveries === 1 ? ", and pushed again" : `, and pushed again to ${deliveries} sinks`;
}
