import type { Command } from "commander";
import { acquireLock, lockDirectory } from "../../locks/index.ts";
import type { LockAcquired } from "../../protocol/locks.ts";
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
import { parsePositiveDuration } from "../parse/duration.ts";
import { collectKeyValue, type KeyValues } from "../parse/key-value.ts";

interface Options extends JsonOption, IdentityOption, OwnerOption {
  readonly meta?: KeyValues;
  readonly wait?: number;
}

export function define(cli: Cli): Command {
  const command = new LockCommand()
    .description("Take a lock for a process, until it releases it or ends. Needs no daemon.")
    .argument("<scope>", scopeArgument)
    .argument("[identity]", identityArgument)
    .option("--meta <key=value>", "say something about it; repeat for more", collectKeyValue)
    .option("--wait <duration>", "wait so long while another process has it", parsePositiveDuration);
  return withJson(withOwner(withIdentity(command))).action(
    async (scope: string, identity: string | undefined, options: Options) => {
      const owner = chosenOwner(options);
      const acquired = await acquireLock({
        scope,
        identity: await readIdentity(cli, identity, options),
        owner,
        meta: options.meta,
        waitMs: options.wait,
        directory: lockDirectory(cli.environment),
      });
      if (options.json === true) cli.printJson(acquired);
      else cli.print(describe(acquired));
    },
  );
}

function describe({ outcome, lock, replaced }: LockAcquired): string {
  const owner = ownerText(lock);
  if (outcome === "updated") return `updated: ${owner} already has ${lock.scope}`;
  if (replaced === null) return `acquired: ${owner} has ${lock.scope}`;
  return `acquired: ${owner} has ${lock.scope}, which ${ownerText(replaced)} left (${replaced.state})`;
}
