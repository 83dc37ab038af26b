// The programs under test: as they are installed, built once for the whole run, and as a checkout has them.
import { join } from "node:path";
import { inject } from "vitest";

declare module "vitest" {
  export interface ProvidedContext {
    /** The directory of the package: test/setup/build-package.ts. */
    readonly package: string;
  }
}

/** Holdfast as it is installed: bundles, keeper, package.json. */
export const packageDirectory = inject("package");
export const cliProgram = join(packageDirectory, "dist/holdfast.cjs");
export const daemonProgram = join(packageDirectory, "dist/daemon/main.mjs");

const sources = join(import.meta.dirname, "../../src");
export const cliSource = join(sources, "cli/main.ts");
export const daemonSource = join(sources, "daemon/main.ts");

/** A program of test/fixtures as one file, which starts in a fifth of the time. The list is in test/setup/build-package.ts. */
export function fixtureProgram(name: string): string {
  return join(packageDirectory, `fixtures/${name}.mjs`);
}

const preload = join(packageDirectory, "compile-cache.mjs");

/** Node with its arguments, then the program's own. */
export function programCommand(program: string, ...args: readonly string[]): [string, ...string[]] {
  return [process.execPath, "--import", preload, program, ...args];
}
