import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { OperationInput, OperationOutput } from "../../protocol/operations.ts";
import type { EnvironmentPolicy, Lifetime, Owner, ProcessMode, ProcessView } from "../../protocol/process.ts";
import { callerNice, callerNofile, callerOwner, callerUmask, callerVariables } from "../caller.ts";
import { confineOf, withConfine, type ConfineOptions } from "../confine-options.ts";
import type { Cli } from "../context.ts";
import { startApproved } from "../start-approved.ts";
import { startNoticesOf, withStartNotices, type StartNoticeOptions } from "../start-notices.ts";
import { withJson, type JsonOption } from "../options.ts";
import { commandOf } from "../parse/command.ts";
import { parsePositiveDuration } from "../parse/duration.ts";
import { given } from "../parse/given.ts";
import { collectKeyValue, collectText, type KeyValues } from "../parse/key-value.ts";
import { keepOperands } from "../parse/optional-value.ts";
import { parseSize } from "../parse/size.ts";
import { stayWith } from "../terminal/foreground.ts";
import { isForeground } from "../terminal/is-foreground.ts";
import { Signals } from "../terminal/signals.ts";
import { terminalName } from "../terminal/terminal-name.ts";
import { tellEnd, tellDetached } from "../tell-end.ts";

interface Options extends JsonOption, StartNoticeOptions, ConfineOptions {
  readonly detach?: boolean;
  readonly name?: string;
  readonly ensure?: boolean;
  readonly replace?: boolean;
  readonly pty?: boolean;
  readonly interactive?: boolean;
  readonly cwd?: string;
  readonly env?: KeyValues;
  readonly passEnv?: string[];
  readonly envPolicy?: EnvironmentPolicy;
  readonly unsetEnv?: string[];
  readonly clearEnv?: boolean;
  readonly timeout?: number;
  readonly idleTimeout?: number;
  readonly memory?: number;
  readonly label?: KeyValues;
  readonly session?: string;
  readonly shellSession?: string;
  readonly task?: string;
  readonly lifetime?: Lifetime;
  readonly key?: string;
}

type StartRequest = OperationInput<"process.start">;

const commandHelp =
  "the program and its arguments, executed as they are; one argument with a space in it is run by your shell";

export function define(cli: Cli): Command {
  const command = new Command()
    .description(
      "Start a process and stay with it: its output here, your input and signals there, its exit code.",
    )
    .usage("[options] [--] COMMAND [ARGUMENT...]")
    .argument("[command...]", commandHelp)
    .passThroughOptions()
    .option("-d, --detach", "do not stay: print its id")
    .option("--name <name>", "a name, unique among processes that run")
    .option("--ensure", "only if no process of this name runs the same command")
    .option("--replace", "stop the process that has the name first")
    .option("--pty", "give it a terminal (default when you are at one)")
    .option("--no-pty", "give it pipes")
    .option("-i, --interactive", "with -d: leave its standard input open for `send`")
    .option("--cwd <directory>", "where it runs; default: here")
    .option("--env <key=value>", "add to its environment, which is yours; repeat for more", collectKeyValue)
    .option("--pass-env <key>", "pass on a variable that is withheld otherwise; repeat for more", collectText)
    .addOption(
      new Option(
        "--env-policy <policy>",
        "what of your environment it gets: all of it, all but credentials (default in a session or task), what a terminal needs",
      ).choices(["caller", "command", "terminal"]),
    )
    .option("--unset-env <key>", "take out of its environment; repeat for more", collectText)
    .option("--clear-env", "give it nothing but --env and --pass-env")
    .option("--timeout <duration>", "stop it after this time", parsePositiveDuration)
    .option(
      "--idle-timeout <duration>",
      "stop it when it has written nothing for this time",
      parsePositiveDuration,
    )
    .option("--memory <size>", "stop it when it and its descendants use more", parseSize)
    .option("--label <key=value>", "a label; repeat for more", collectKeyValue)
    .option("--session <key>", "the session it belongs to; default: HOLDFAST_SESSION")
    .option(
      "--shell-session <key>",
      "run the command, one text, where and with what the last one of this session left; without --cwd it is there",
    )
    .option("--task <id>", "the task it belongs to; default: HOLDFAST_TASK")
    .addOption(
      new Option("--lifetime <lifetime>", "what it ends with").choices(["session", "task", "detached"]),
    )
    .option("--key <key>", "the same key gives the same process, however often it is asked for");
  return keepOperands(withJson(withConfine(withStartNotices(command)))).action(
    (words: string[], options: Options) => run(cli, words, options),
  );
}

async function run(cli: Cli, words: string[], options: Options): Promise<void> {
  const input = inputOf(cli, words, options);
  if (options.detach === true) {
    const client = await cli.client();
    const owner = { ...input.owner, ...(await personOf(input)) };
    await tellStarted(cli, await startApproved(cli, client, { ...input, owner }), options);
    return;
  }
  const signals = new Signals();
  try {
    const client = await cli.client();
    const started = await startApproved(cli, client, input);
    if (isToldNotes(input, options)) for (const note of started.notes) cli.note(`holdfast: ${note}`);
    await stay(cli, started, signals, options);
  } finally {
    signals.close();
  }
}

/** A person at a terminal is told by its bell and on the desktop; whatever has a session or a task is told there. */
async function personOf({ notify = "off", owner }: StartRequest): Promise<Pick<Owner, "origin">> {
  if (notify === "off" || owner?.session !== undefined || owner?.task !== undefined) return {};
  const tty = await terminalName();
  return tty === undefined ? {} : { origin: { desktop: true, tty } };
}

/** Whoever only runs a program wants to see what it writes; a withheld variable must not puzzle a person. */
function isToldNotes({ environment, owner }: StartRequest, { replace }: Options): boolean {
  const isFiltered = environment?.policy !== undefined || Object.keys(owner ?? {}).length > 0;
  const isNamed = environment?.pass !== undefined && environment.pass.length > 0;
  return replace === true || (process.stderr.isTTY && (isFiltered || isNamed));
}

async function stay(cli: Cli, started: ProcessView, signals: Signals, { json }: Options): Promise<void> {
  if (started.exit?.kind === "spawn_failed") {
    tellEnd(cli, started, json === true);
    return;
  }
  const isAtTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const left = await stayWith(await cli.client(), {
    process: started,
    from: 0,
    input: !hasInput() ? "none" : started.mode === "pty" && isAtTerminal ? "keys" : "stream",
    signals,
    onSignal: "forward",
    showOutput: json !== true,
    note: (text) => cli.note(text),
  });
  if (left.kind === "detached") tellDetached(cli, started, json === true);
  else tellEnd(cli, left.process, json === true);
}

async function tellStarted(
  cli: Cli,
  started: OperationOutput<"process.start">,
  options: Options,
): Promise<void> {
  if (started.exit?.kind === "spawn_failed") {
    tellEnd(cli, started, options.json === true);
    return;
  }
  if (options.json === true) cli.printJson(started);
  else cli.print(started.id);
  if (process.stderr.isTTY && options.json !== true) for (const note of started.notes) cli.note(note);
}

/** Standard input that may be read: a terminal belongs to whoever is in the foreground. */
function hasInput(): boolean {
  return !process.stdin.isTTY || isForeground();
}

function inputOf(cli: Cli, words: string[], options: Options): StartRequest {
  const { name, label, lifetime, key } = options;
  const mode = modeOf(options);
  const isShown = options.detach !== true && process.stdout.isTTY;
  return {
    ...placeOf(words, options),
    environment: {
      caller: callerVariables(cli.environment, (note) => cli.note(note)),
      ...given({ policy: options.envPolicy }),
      pass: [...(options.passEnv ?? [])],
      set: { ...options.env },
      remove: [...(options.unsetEnv ?? [])],
      exact: options.clearEnv === true,
    },
    mode,
    ...(mode === "pty" && isShown ? { columns: process.stdout.columns, rows: process.stdout.rows } : {}),
    stdin: stdinOf(mode, options),
    ensure: options.ensure === true,
    replace: options.replace === true,
    owner: callerOwner(cli, options),
    ...startNoticesOf(options),
    ...confineOf(options),
    limits: given({ wallMs: options.timeout, idleMs: options.idleTimeout, memoryBytes: options.memory }),
    umask: callerUmask(),
    // A key of our own: when the daemon dies between start and answer, asking again gives the same process.
    idempotencyKey: key ?? crypto.randomUUID(),
    ...given({ name, labels: label, lifetime, nice: callerNice(), nofile: callerNofile(cli.environment) }),
  };
}

/** A session's shell is where it was left, not where its caller happens to be. */
function placeOf(
  words: string[],
  { cwd, shellSession }: Options,
): Pick<StartRequest, "command" | "cwd" | "shell"> {
  const here = resolve(cwd ?? ".");
  if (shellSession === undefined) return { command: commandOf(words), cwd: here };
  const [first = ""] = words;
  const command = words.length === 1 && first !== "" ? first : commandOf(words);
  return {
    command,
    ...given({ cwd: cwd === undefined ? undefined : here }),
    shell: { session: shellSession, firstCwd: here },
  };
}

function stdinOf(mode: ProcessMode, { detach, interactive }: Options): "open" | "empty" {
  if (mode === "pty") return "open";
  return (detach === true ? interactive === true : hasInput()) ? "open" : "empty";
}

function modeOf({ pty, detach }: Options): ProcessMode {
  if (pty !== undefined) return pty ? "pty" : "pipe";
  const isAtTerminal = detach !== true && process.stdin.isTTY && process.stdout.isTTY;
  return isAtTerminal && isForeground() ? "pty" : "pipe";
}
