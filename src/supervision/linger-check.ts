// A user's service manager ends with the last login, and takes everything below it along, unless the user lingers.
import { accessSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Check } from "./check.ts";

export interface LingerQuestion {
  readonly user: string;
  /** A unit of the user's manager is installed for this home. */
  readonly hasUserUnit: boolean;
  /** The daemon that runs; null when none does. */
  readonly daemonPid: number | null;
  readonly root: string;
}

export function checkLinger({ user, hasUserUnit, daemonPid, root }: LingerQuestion): Check {
  const name = "linger";
  if (!hasUserUnit && !(daemonPid !== null && isBelowUserManager(cgroupOf(daemonPid)))) {
    return { name, result: "ok", message: "Nothing of this home depends on a login." };
  }
  const isLingering = lingers(user, root);
  if (isLingering === undefined) {
    return { name, result: "ok", message: `Whether ${user} lingers cannot be seen.` };
  }
  if (isLingering) {
    return { name, result: "ok", message: `${user} lingers: logging out ends nothing.` };
  }
  return {
    name,
    result: "warning",
    message: `${user} does not linger: with the last logout the daemon and every kept process are killed.`,
    hint: `loginctl enable-linger ${user}`,
  };
}

/** Text of /proc/PID/cgroup. */
export function isBelowUserManager(cgroup: string): boolean {
  return /\/user@\d+\.service(?:\/|$)/m.test(cgroup);
}

/** Undefined: the folder is hidden from us, which says nothing. */
export function lingers(user: string, root: string): boolean | undefined {
  try {
    accessSync(join(root, "/var/lib/systemd/linger", user));
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? false : undefined;
  }
}

function cgroupOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, "utf8");
  } catch {
    return ""; // gone, or no /proc
  }
}
