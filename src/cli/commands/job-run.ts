import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { Notify } from "../../protocol/process.ts";
import { callerNice, callerNofile, callerOwner, callerUmask, callerVariables } from "../caller.ts";
import { confineOf, withConfine, type ConfineOptions } from "../confine-options.ts";
import type { Cli } from "../context.ts";
import { withJson, type JsonOption } from "../options.ts";
import { commandOf } from "../parse/command.ts";
import { parsePositiveDuration } from "../parse/duration.ts";
import { given } from "../parse/given.ts";
import { collectKeyValue, collectText, type KeyValues } from "../parse/key-value.ts";
import { tellEnd } from "../tell-end.ts";

interface Options extends JsonOption, ConfineOptions {
  readonly name?: string;
  readonly cwd?: string;
  readonly env?: KeyValues;
  readonly passEnv?: string[];
  readonly timeout?: number;
  readonly label?: KeyValues;
  readonly session?: string;
  readonly task?: string;
  readonly notify?: Notify;
  readonly progress?: number;
  readonly key?: string;
}

export function define(cli: Cli): Command {
  const command = new Command()
    .description("Run something in the background; how it ended is owed to its session. Prints its id.")
    .usage("[options] [--] COMMAND [ARGUMENT...]")
    .argument(
      "[command...]",
      "the program and its arguments; one argument with a space in it is run by your shell",
    )
    .passThroughOptions()
    .option("--name <name>", "a name, unique among processes that run")
    .option("--cwd <directory>", "where it runs; default: here")
    .option("--env <key=value>", "add to its environment; repeat for more", collectKeyValue)
    .option("--pass-env <key>", "pass on a variable that is withheld otherwise; repeat for more", collectText)
    .option("--timeout <duration>", "end it after this time; default 1h", parsePositiveDuration)
    .option("--label <key=value>", "a label; repeat for more", collectKeyValue)
    .option("--session <key>", "who is told; default: HOLDFAST_SESSION")
    .option("--task <id>", "the task it belongs to; default: HOLDFAST_TASK")
    .addOption(new Option("--notify <when>", "which ends are owed; default end").choices(["end", "failure"]))
    .option("--progress <duration>", "also tell so often that it still runs", parsePositiveDuration)
    .option("--key <key>", "the same key gives the same job, however often it is asked for");
  return withJson(withConfine(command)).action((words: string[], options: Options) =>
    run(cli, words, options),
  );
}

async function run(cli: Cli, words: string[], options: Options): Promise<void> {
  const client = await cli.client();
  const { name, label, notify, progress, json } = options;
  const started = await client.job.run({
    command: commandOf(words),
    cwd: resolve(options.cwd ?? "."),
    environment: {
      caller: callerVariables(cli.environment, (note) => cli.note(note)),
      pass: [...(options.passEnv ?? [])],
      set: { ...options.env },
    },
    owner: callerOwner(cli, options),
    limits: given({ wallMs: options.timeout }),
    ...confineOf(options),
    umask: callerUmask(),
    // A key of our own: when the daemon dies between start and answer, asking again gives the same job.
    idempotencyKey: options.key ?? crypto.randomUUID(),
    ...given({ name, labels: label, notify, nice: callerNice(), nofile: callerNofile(cli.environment) }),
    ...(progress === undefined ? {} : { progress: { everyMs: progress } }),
  });
  if (started.exit?.kind === "spawn_failed") tellEnd(cli, started, json === true);
  else if (json === true) cli.printJson(started);
  else cli.print(started.id);
}
