// Which home a command line means.
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** HOLDFAST_HOME, else ~/.holdfast: as the daemon finds it. */
export function homeOf(environment: NodeJS.ProcessEnv): string {
  return resolve(environment["HOLDFAST_HOME"] || join(environment["HOME"] || homedir(), ".holdfast"));
}
