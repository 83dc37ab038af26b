// Where the command line is that a unit runs: the same for every part of this package, so that all of them write the same unit.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** bin/holdfast in the first folder above that has it, from src/ and from a bundle alike; else what was started. */
export function commandLineProgram(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const program = join(folder, "bin/holdfast");
    if (existsSync(program) && existsSync(join(folder, "package.json"))) return program;
    if (folder === dirname(folder)) return process.argv[1] ?? program; // a bundle that was moved away from its package
  }
}
