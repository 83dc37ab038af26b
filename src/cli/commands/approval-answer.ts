import { Argument, Command } from "commander";
import type { ApprovalAnswer } from "../../protocol/policy.ts";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";

interface Options extends JsonOption {
  readonly note?: string;
}

const answers: readonly ApprovalAnswer[] = ["once", "session", "always", "deny"];

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Allow a command or refuse it. For persons only: not from inside a kept process, and not for a session.",
    )
    .argument("<approval>", "its id")
    .addArgument(
      new Argument(
        "<answer>",
        "once; session: its rules do not ask again in this session; always: nor in this profile; deny",
      ).choices([...answers]),
    )
    .option("--note <text>", "told to whoever asked");
  return withJson(command).action(async (approval: string, answer: ApprovalAnswer, options: Options) => {
    const client = await cli.client();
    const view = await client.approval.answer({
      approval,
      answer,
      via: "command line",
      ...given({ note: options.note }),
    });
    if (options.json === true) cli.printJson(view);
    else cli.print(`${view.id} ${view.state}${view.waiting === 0 ? ", and nobody waits for it" : ""}`);
  });
}
