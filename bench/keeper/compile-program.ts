// The C programs of the bench, compiled where they are needed.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Compiles programs/NAME.c into the directory and returns the path of the program. */
export function compileProgram(directory: string, name: string): string {
  const source = join(import.meta.dirname, "programs", `${name}.c`);
  const program = join(directory, name);
  execFileSync("cc", ["-std=gnu11", "-O2", "-Wall", "-Werror", source, "-o", program, "-lutil"]);
  return program;
}
