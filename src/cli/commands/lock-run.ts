import { basename } from "node:path";
import type { Command } from "commander";
import { acquireLock, lockDirectory, ownerOf, releaseLock } from "../../locks/index.ts";
import { isHoldfastError } from "../../protocol/errors.ts";
import type { LockOwner } from "../../protocol/locks.ts";
import type { Cli } from "../context.ts";
import { keeperProgram } from "../keeper-program.ts";
import {
  identityArgument,
  LockCommand,
  readIdentity,
  scopeArgument,
  withIdentity,
  type IdentityOption,
} from "../lock-options.ts";
import { parsePositiveDuration } from "../parse/duration.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";
import { collectKeyValue, type KeyValues } from "../parse/key-value.ts";
import { GatedChild } from "../terminal/gated-child.ts";
import { hasKeyboard } from "../terminal/is-foreground.ts";
import { Signals, type ForwardedSignal } from "../terminal/signals.ts";

interface Options extends IdentityOption {
  readonly meta?: KeyValues;
  readonly wait?: number;
}

export function define(cli: Cli): Command {
  const command = new LockCommand()
    .description("Run a command while it has a lock: its exit code, or 128 + its signal. Needs no daemon.")
    .usage("[options] SCOPE IDENTITY -- COMMAND [ARGUMENT...]")
    .argument("<scope>", scopeArgument)
    .argument("[identity]", identityArgument)
    .argument("[command...]", "the program and its arguments, executed as they are; write -- before it")
    .option("--meta <key=value>", "say something about it; repeat for more", collectKeyValue)
    .option("--wait <duration>", "wait so long while another process has it", parsePositiveDuration);
  return withIdentity(command).action(
    async (scope: string, second: string | undefined, rest: string[], options: Options) => {
      // The option stands for the argument: what follows the scope is the command then.
      const words = second === undefined ? rest : [second, ...rest];
      const [identity, argv] =
        options.identityEnv === undefined ? [words[0], words.slice(1)] : [undefined, words];
      if (argv.length === 0) {
        throw invalidArgument(
          "There is no command to run.",
          "Write it last: holdfast lock run SCOPE IDENTITY -- COMMAND.",
        );
      }
      const lock = { scope, identity: await readIdentity(cli, identity, options) };
      cli.exitCode = await runLocked(cli, lock, argv, options);
    },
  );
}

interface Lock {
  readonly scope: string;
  readonly identity: string;
}

/** The lock is the command's own: it lasts as long as that runs, also when we are killed. */
async function runLocked(cli: Cli, lock: Lock, argv: readonly string[], options: Options): Promise<number> {
  const signals = new Signals();
  const child = new GatedChild(keeperProgram(), argv, cli.environment);
  const ended = new AbortController();
  void child.exitCode.then(
    () => ended.abort(),
    () => ended.abort(),
  );
  try {
    const owner = ownerOf(child.pid, basename(argv[0] ?? ""));
    signals.handTo((name) => forward(child, name));
    const directory = lockDirectory(cli.environment);
    try {
      await acquireLock({
        ...lock,
        owner,
        meta: options.meta,
        waitMs: options.wait,
        signal: ended.signal,
        directory,
      });
    } catch (error) {
      if (ended.signal.aborted) return await child.exitCode; // a signal that came while it waited
      throw error;
    }
    child.open();
    const exitCode = await child.exitCode;
    await release(cli, lock, owner, directory);
    return exitCode;
  } finally {
    child.cancel();
    signals.close();
  }
}

/** A key pressed at the terminal has reached the command already: a second time it might mean something else. */
function forward(child: GatedChild, name: ForwardedSignal): void {
  const isKey = name === "SIGINT" || name === "SIGQUIT";
  if (!isKey || !hasKeyboard()) child.signal(name);
}

async function release(cli: Cli, lock: Lock, owner: LockOwner, directory: string): Promise<void> {
  try {
    await releaseLock({ ...lock, owner, directory });
  } catch (error) {
    if (!isHoldfastError(error, "LOCK_NOT_OWNED")) throw error;
    cli.note(
      `holdfast: the lock ${lock.scope} was lost before the command ended: it was stopped, and another took it`,
    );
  }
}
