// Arguments and variables are bytes, and Node gives them as text: what is no UTF-8 has become another text by then. That must not reach a
// process as if somebody had said so.
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { HoldfastError } from "../protocol/errors.ts";

const replacement = "\uFFFD";

/** @throws HoldfastError INVALID_ARGUMENT */
export function refuseBrokenArguments(args: readonly string[]): void {
  if (!args.some((arg) => arg.includes(replacement)) || isUtf8(readBytes("/proc/self/cmdline"))) return;
  throw new HoldfastError("INVALID_ARGUMENT", "One of the arguments is no UTF-8; nothing was done.", {
    hint: "Put what needs other bytes into a script, and name that.",
  });
}

/** Names of variables whose value is no UTF-8. */
export function brokenVariables(environment: NodeJS.ProcessEnv): string[] {
  const suspects = Object.entries(environment).filter(([, value]) => value?.includes(replacement) === true);
  if (suspects.length === 0) return [];
  const raw = readBytes("/proc/self/environ").toString("latin1").split("\0");
  const broken = raw.filter((line) => !isUtf8(Buffer.from(line, "latin1")));
  const isBroken = (name: string): boolean => broken.some((line) => line.startsWith(`${name}=`));
  return suspects.map(([name]) => name).filter(isBroken);
}

/** Empty where there is no such file. */
function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0); // no /proc
  }
}
