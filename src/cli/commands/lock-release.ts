import type { Command } from "commander";
import { lockDirectory, releaseAllLocks, releaseLock } from "../../locks/index.ts";
import type { LockView } from "../../protocol/locks.ts";
import type { Cli } from "../context.ts";
import {
  chosenOwner,
  identityArgument,
  LockCommand,
  ownerText,
  readIdentity,
  scopeArgument,
  withIdentity,
  withOwner,
  type IdentityOption,
  type OwnerOption,
} from "../lock-options.ts";
import { withJson, type JsonOption } from "../options.ts";
import { invalidArgument } from "../parse/invalid-argument.ts";

interface Options extends JsonOption, IdentityOption, OwnerOption {
  readonly all?: boolean;
}

export function define(cli: Cli): Command {
  const command = new LockCommand()
    .description("Give back a lock that a process owns, or all of them. Needs no daemon.")
    .argument("[scope]", scopeArgument)
    .argument("[identity]", identityArgument)
    .option("--all", "every lock of the process; with --pid also what a process left that has ended");
  return withJson(withOwner(withIdentity(command))).action(
    async (scope: string | undefined, identity: string | undefined, options: Options) => {
      const released = await release(cli, scope, identity, options);
      if (options.json === true) cli.printJson({ released });
      else cli.print(describe(released));
    },
  );
}

async function release(
  cli: Cli,
  scope: string | undefined,
  identity: string | undefined,
  options: Options,
): Promise<LockView[]> {
  const directory = lockDirectory(cli.environment);
  if (options.all === true) {
    if (scope !== undefined || options.identityEnv !== undefined) {
      throw invalidArgument("Give a lock or --all, not both.");
    }
    return await releaseAllLocks({ owner: options.pid ?? chosenOwner(options), directory });
  }
  if (scope === undefined)
    throw invalidArgument("There is no lock to release.", "Give SCOPE and IDENTITY, or --all.");
  const owner = chosenOwner(options);
  return [
    await releaseLock({ scope, identity: await readIdentity(cli, identity, options), owner, directory }),
  ];
}

function describe(released: readonly LockView[]): string {
  if (released.length === 0) return "nothing to release";
  return released.map((lock) => `released: ${lock.scope} of ${ownerText(lock)}`).join("\n");
}
