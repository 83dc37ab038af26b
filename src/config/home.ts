// Where a home is. A home holds the run directories and the launcher; everything of one user's Holdfast lies in it.
import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";

/**
 * The home: HOLDFAST_HOME, else ~/.holdfast.
 * @throws REAL_HOME_IN_TEST under vitest, for the home that the account database names.
 */
export function resolveHome(env: NodeJS.ProcessEnv = process.env): string {
  const home = resolve(env["HOLDFAST_HOME"] || join(env["HOME"] || homedir(), ".holdfast"));
  // VITEST is read from the process, not from `env`: a test that passes an environment of its own is still a test.
  // userInfo() asks the account database, which a changed HOME does not change.
  if (process.env["VITEST"] && home === join(userInfo().homedir, ".holdfast")) {
    throw new HoldfastError("REAL_HOME_IN_TEST", `a test asked for the real home ${home}`);
  }
  return home;
}
