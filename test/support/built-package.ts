// Holdfast as it is installed: bundles, keeper and package.json, under a version of its own where a test needs one.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageDirectory } from "./programs.ts";
import { newTestHome } from "./test-home.ts";

export interface BuiltPackage {
  readonly version: string;
  readonly cli: string;
  readonly daemon: string;
}

/** @param version default: of this checkout */
export function buildPackage(version?: string): BuiltPackage {
  const own = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8")) as { version: string };
  const directory = version === undefined ? packageDirectory : newTestHome();
  if (version !== undefined) {
    const files = { recursive: true, verbatimSymlinks: true };
    for (const name of ["bin", "dist", "keeper"])
      cpSync(join(packageDirectory, name), join(directory, name), files);
    writeFileSync(join(directory, "package.json"), JSON.stringify({ ...own, version }));
  }
  return {
    version: version ?? own.version,
    cli: join(directory, "bin/holdfast"),
    daemon: join(directory, "dist/daemon/main.mjs"),
  };
}
