// The command that runs a program of ours from its sources, quickly.
import { join } from "node:path";

const preload = join(import.meta.dirname, "compile-cache.mjs");

/** Node with its arguments, then the program's own. */
export function sourceProgram(program: string, ...args: readonly string[]): [string, ...string[]] {
  return [process.execPath, "--import", preload, program, ...args];
}
