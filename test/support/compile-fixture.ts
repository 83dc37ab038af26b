// Compiles a C program of test/fixtures into the test directory: tests that count microseconds or signals need programs
// with nothing else in them.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { testDirectory } from "./test-home.ts";

export const fixturesDirectory = join(import.meta.dirname, "../fixtures");

/** The path of the program `test/fixtures/NAME.c`, static so that it starts in no time. Compiled once per test file. */
export function compileFixture(name: string): string {
  const program = join(testDirectory(), name);
  if (existsSync(program)) return program;
  const source = join(fixturesDirectory, `${name}.c`);
  execFileSync("cc", ["-O2", "-Wall", "-Wextra", "-Werror", "-static", "-o", program, source]);
  return program;
}

/** The same as a library for LD_PRELOAD. */
export function compilePreload(name: string): string {
  const library = join(testDirectory(), `${name}.so`);
  if (existsSync(library)) return library;
  const source = join(fixturesDirectory, `${name}.c`);
  execFileSync("cc", ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library, source]);
  return library;
}
