// What a process gets from the command line that asks for it: its environment, its umask, its niceness, its owner.
import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import type { OperationInput } from "../protocol/operations.ts";
import type { Cli } from "./context.ts";
import { brokenVariables } from "./not-utf8.ts";
import { given } from "./parse/given.ts";

/** `tell` hears of what cannot be passed on as it is. */
export function callerVariables(
  environment: NodeJS.ProcessEnv,
  tell: (note: string) => void = () => undefined,
): Record<string, string> {
  const broken = brokenVariables(environment);
  if (broken.length > 0) tell(`holdfast: not passed on, because it is no UTF-8: ${broken.join(", ")}`);
  const entries = Object.entries(environment).filter(([name]) => !broken.includes(name));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Only a raised niceness is passed on: the keeper may not be allowed to lower its own. */
export function callerNice(): number | undefined {
  const nice = getPriority();
  return nice > 0 ? nice : undefined;
}

export function callerUmask(): number {
  const umask = /^Umask:\s*([0-7]+)$/m.exec(readText("/proc/self/status"))?.[1];
  // Without /proc asked in the way that works everywhere.
  return umask === undefined ? process.umask() : Number.parseInt(umask, 8);
}

/** Empty where there is no such file. */
function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // no /proc
  }
}

/** Undefined where the system does not tell. The soft limit is the one from before Node raised it: bin/holdfast tells it. */
export function callerNofile(environment: NodeJS.ProcessEnv): OperationInput<"process.start">["nofile"] {
  const limits = readText("/proc/self/limits");
  const [, soft, hard] = /^Max open files\s+(\S+)\s+(\S+)/m.exec(limits) ?? [];
  if (hard === undefined) return undefined;
  return { soft: limitValue(environment["HOLDFAST_SOFT_NOFILE"] ?? soft), hard: limitValue(hard) };
}

function limitValue(word: string | undefined): number | "infinity" {
  return word !== undefined && /^\d{1,15}$/.test(word) ? Number(word) : "infinity";
}

export function callerOwner(
  cli: Cli,
  chosen: { readonly session?: string | undefined; readonly task?: string | undefined },
): { session?: string; task?: string } {
  return given({ session: chosen.session ?? cli.session, task: chosen.task ?? cli.task });
}
