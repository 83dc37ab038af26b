// The account a daemon runs as. Node knows only its own, so others are read from the account file, or asked of getent, which also
// knows the accounts of a directory service.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly homeDirectory: string;
  /** Where its Holdfast lives unless HOLDFAST_HOME says otherwise. */
  readonly defaultHome: string;
}

function account(name: string, uid: number, homeDirectory: string): Account {
  return { name, uid, homeDirectory, defaultHome: join(homeDirectory, ".holdfast") };
}

/** HOME counts more than the account database, as it does for the home itself. */
export function ownAccount(environment: NodeJS.ProcessEnv): Account {
  const { username, uid, homedir } = userInfo();
  return account(username, uid, environment["HOME"] || homedir);
}

/** @throws HoldfastError INVALID_ARGUMENT when there is none of this name */
export function findAccount(name: string, root: string): Account {
  const line = lineOf(name, readAccounts(root)) ?? (root === "" ? askGetent(name) : undefined);
  const [, , uid, , , homeDirectory] = line?.split(":") ?? [];
  if (uid !== undefined && homeDirectory?.startsWith("/")) return account(name, Number(uid), homeDirectory);
  throw new HoldfastError("INVALID_ARGUMENT", `There is no user ${JSON.stringify(name)}.`, {
    hint: "Name an account of the machine the unit is for.",
  });
}

function lineOf(name: string, text: string): string | undefined {
  return text.split("\n").find((line) => line.startsWith(`${name}:`));
}

function readAccounts(root: string): string {
  try {
    return readFileSync(join(root, "/etc/passwd"), "utf8");
  } catch {
    return ""; // macOS has its accounts elsewhere; then nobody is found
  }
}

function askGetent(name: string): string | undefined {
  try {
    const answer = execFileSync("getent", ["passwd", "--", name], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 10_000,
    });
    return lineOf(name, answer);
  } catch {
    return undefined; // not known, or no getent
  }
}
