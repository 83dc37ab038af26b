// What the lock commands share: which lock, and whose.
import { Command } from "commander";
import { mostIdentityBytes } from "../protocol/lock-limits.ts";
import type { LockOwner, LockView } from "../protocol/locks.ts";
import { namedOwner, ownerOf } from "../locks/index.ts";
import type { Cli } from "./context.ts";
import { safeText } from "./format/safe-text.ts";
import { invalidArgument } from "./parse/invalid-argument.ts";
import { parsePositive } from "./parse/numbers.ts";

export interface IdentityOption {
  readonly identityEnv?: string;
}

export interface OwnerOption {
  readonly pid?: number;
}

export const scopeArgument = "what kind of thing is locked: a plain name, like telegram or port";
export const identityArgument =
  "which one: a token, an account, a port; - reads it from standard input. Everybody on this machine can read arguments (ps): give secrets by - or --identity-env";

/** Says of an unknown option that there is one, not which: it may be an identity that begins with a dash. */
export class LockCommand extends Command {
  /** Called by commander. */
  unknownOption(): never {
    throw invalidArgument(
      "There is an option that this command does not have.",
      "An identity that begins with a dash goes behind --, or through standard input: see `holdfast lock --help`.",
    );
  }
}

export function withIdentity(command: Command): Command {
  return command.option(
    "--identity-env <name>",
    "take the identity from this environment variable, in place of the argument",
  );
}

export function withOwner(command: Command): Command {
  return command.option(
    "--pid <pid>",
    "the process that owns it; default: the one that runs this command, like your shell",
    parsePositive,
  );
}

/** @throws HoldfastError INVALID_ARGUMENT */
export async function readIdentity(
  cli: Cli,
  argument: string | undefined,
  { identityEnv }: IdentityOption,
): Promise<string> {
  if (identityEnv !== undefined) {
    if (argument !== undefined) throw invalidArgument("Give IDENTITY or --identity-env, not both.");
    const value = cli.environment[identityEnv];
    if (!value) throw invalidArgument(`The environment variable ${identityEnv} is not set.`);
    return value;
  }
  if (argument === undefined) {
    throw invalidArgument(
      "There is no identity.",
      "Give it as IDENTITY, as - for standard input, or with --identity-env.",
    );
  }
  return argument === "-" ? await readStandardInput() : argument;
}

/** Without the line end that echo adds. */
async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostIdentityBytes)
      throw invalidArgument(`The identity is longer than ${mostIdentityBytes} bytes.`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(Buffer.concat(chunks))
      .replace(/\r?\n$/, "");
  } catch {
    throw invalidArgument("The identity on standard input is not UTF-8.");
  }
}

/** @throws HoldfastError LOCK_OWNER_REFUSED */
export function chosenOwner({ pid }: OwnerOption): LockOwner {
  return pid === undefined ? ownerOf(callerPid()) : namedOwner(pid);
}

/** Who runs this command. bin/holdfast, when it needs another Node than it has, is between us and tells its own parent. */
function callerPid(): number {
  const told = /^holdfast:(\d+)$/.exec(process.argv0)?.[1];
  return told === undefined ? process.ppid : Number(told);
}

export function ownerText({ owner }: LockView): string {
  if (owner === null) return "nobody known";
  return `process ${owner.pid}${owner.command === null ? "" : ` (${safeText(owner.command)})`}`;
}
