// The C programs of the bench, compiled where they are needed.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Compiles programs/NAME.c of a bench into the directory and returns the path of the program. */
export function compileProgram(directory: string, name: string, bench: string = import.meta.dirname): string {
  const source = join(bench, "programs", `${name}.c`);
  const program = join(directory, name);
  execFileSync("cc", ["-std=gnu11", "-O2", "-Wall", "-Werror", source, "-o", program, "-lutil"]);
  return program;
}
