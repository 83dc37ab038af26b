import { Command } from "commander";
import { callerOwner } from "../caller.ts";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { given } from "../parse/given.ts";
import { collectText } from "../parse/key-value.ts";
import { parsePositive } from "../parse/numbers.ts";

interface Options extends JsonOption {
  readonly context?: string;
  readonly toolset?: string[];
  readonly role?: string;
  readonly model?: string;
  readonly item?: string[];
  readonly session?: string;
  readonly task?: string;
  readonly pid?: number;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Register work that is done elsewhere; its end is told like that of a process. Prints its id.",
    )
    .argument("<goal>", "what is to be done")
    .option("--item <goal>", "one part of a batch; repeat for more", collectText)
    .option("--context <text>", "what whoever does it was told")
    .option("--toolset <name>", "what it may use; repeat for more", collectText)
    .option("--role <role>", "as what it works")
    .option("--model <model>", "which model does it")
    .option("--session <key>", "who is told; default: HOLDFAST_SESSION")
    .option("--task <id>", "the task it belongs to; default: HOLDFAST_TASK")
    .option(
      "--pid <pid>",
      "the process that does it: when that is gone, the work is told as lost",
      parsePositive,
    );
  return withJson(command).action(async (goal: string, options: Options) => {
    const client = await cli.client();
    const { context, toolset, role, model, item, pid, json } = options;
    const view = await client.delegation.start({
      goal,
      toolsets: [...(toolset ?? [])],
      owner: callerOwner(cli, options),
      ...given({ context, role, model, items: item, pid }),
    });
    if (json === true) cli.printJson(view);
    else cli.print(view.id);
  });
}
