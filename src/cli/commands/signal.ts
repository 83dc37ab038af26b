import { Command, Option } from "commander";
import type { Cli } from "../context.ts";
import { processArgument, withJson, type JsonOption } from "../options.ts";

interface Options extends JsonOption {
  readonly target: "child" | "foreground" | "tree";
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Send a signal.")
    .argument("<id>", processArgument)
    .argument("<signal>", "as in SIGINT, INT or 2")
    .addOption(
      new Option(
        "--target <who>",
        "the process itself, its terminal's foreground group, or all descendants too",
      )
        .choices(["child", "foreground", "tree"])
        .default("child"),
    );
  return withJson(command).action(async (id: string, signal: string, { target, json }: Options) => {
    const client = await cli.client();
    const sent = await client.process.signal({ id, signal, target });
    if (json === true) cli.printJson(sent);
    else
      cli.print(
        `${sent.signal} sent to ${sent.reached} ${sent.reached === 1 ? "process" : "processes"} of ${sent.id}`,
      );
  });
}
