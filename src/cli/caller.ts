// What a process gets from the command line that asks for it: its environment, its umask, its niceness, its owner.
import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import type { Cli } from "./context.ts";
import { given } from "./parse/given.ts";

export function callerVariables(environment: NodeJS.ProcessEnv): Record<string, string> {
  const entries = Object.entries(environment);
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Only a raised niceness is passed on: the keeper may not be allowed to lower its own. */
export function callerNice(): number | undefined {
  const nice = getPriority();
  return nice > 0 ? nice : undefined;
}

export function callerUmask(): number {
  try {
    const status = readFileSync("/proc/self/status", "latin1");
    const umask = /^Umask:\s*([0-7]+)$/m.exec(status)?.[1];
    if (umask !== undefined) return Number.parseInt(umask, 8);
  } catch {
    // no /proc: asked in the way that works everywhere
  }
  return process.umask();
}

export function callerOwner(
  cli: Cli,
  chosen: { readonly session?: string | undefined; readonly task?: string | undefined },
): { session?: string; task?: string } {
  return given({ session: chosen.session ?? cli.session, task: chosen.task ?? cli.task });
}
