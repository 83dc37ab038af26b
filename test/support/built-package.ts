// Holdfast as it is installed: bundles, keeper and package.json, under a version of its own.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { newTestHome } from "./test-home.ts";

const repository = join(import.meta.dirname, "../..");

export interface BuiltPackage {
  readonly version: string;
  readonly cli: string;
  readonly daemon: string;
}

let bundles: string | undefined;

/** Built once for a test file: what differs between two of them is the version. */
function builtOnce(): string {
  if (bundles !== undefined) return bundles;
  bundles = join(newTestHome(), "dist");
  const built = spawnSync(process.execPath, [join(repository, "scripts/build-cli.mjs"), bundles], {
    encoding: "utf8",
  });
  expect(built, built.stderr).toMatchObject({ status: 0 });
  return bundles;
}

/** @param version default: of this checkout */
export function buildPackage(version?: string): BuiltPackage {
  const directory = newTestHome();
  cpSync(builtOnce(), join(directory, "dist"), { recursive: true });
  cpSync(join(repository, "bin"), join(directory, "bin"), { recursive: true });
  const own = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
  const described = { ...own, version: version ?? own.version };
  writeFileSync(join(directory, "package.json"), JSON.stringify(described));
  mkdirSync(join(directory, "keeper"));
  symlinkSync(join(repository, "keeper/build"), join(directory, "keeper/build"));
  return {
    version: described.version,
    cli: join(directory, "bin/holdfast"),
    daemon: join(directory, "dist/daemon/main.mjs"),
  };
}
