// npm test and npm start on a machine where packages are missing: played by a PATH with little in it.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newTestHome } from "../support/test-home.ts";

const module = join(import.meta.dirname, "../../scripts/setup/system-packages.mjs");

/** A directory of programs that only say what they were asked. */
function makePrograms(programs: Readonly<Record<string, string>>): string {
  const directory = newTestHome();
  chmodSync(directory, 0o755);
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }
  return directory;
}

/** Asks for the packages of the build, as a user with this uid sees them. */
function ensure(directory: string, uid: number) {
  const code = `process.getuid = () => ${uid};
    const { ensureSystemPackages } = await import(${JSON.stringify(module)});
    ensureSystemPackages("build");`;
  const result = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    env: { PATH: directory },
  });
  return { code: result.status, output: result.stdout + result.stderr };
}

const dpkgQuery = 'echo "make installed"; echo "gcc not-installed"';

test("a user who is not root is told what is missing, why, and what to type", () => {
  const directory = makePrograms({ "dpkg-query": dpkgQuery, "apt-get": "exit 99" });
  const { code, output } = ensure(directory, 1000);
  expect(code).toBe(1);
  expect(output).toMatch(/^ {2}musl-tools +links the keeper/m);
  expect(output).toContain("sudo apt-get install -y gcc musl-tools");
  expect(output).not.toContain("make ");
});

test("root installs exactly what is missing, without being asked anything", () => {
  const asked = join(newTestHome(), "asked");
  const directory = makePrograms({
    "dpkg-query": dpkgQuery,
    "apt-get": `echo "$DEBIAN_FRONTEND $*" >> ${asked}`,
  });
  expect(ensure(directory, 0).code).toBe(0);
  expect(readFileSync(asked, "utf8").split("\n")).toEqual([
    "noninteractive update -qq",
    "noninteractive install -y -qq --no-install-recommends gcc musl-tools",
    "",
  ]);
});

test("a failed installation stops with what failed", () => {
  const { code, output } = ensure(makePrograms({ "dpkg-query": dpkgQuery, "apt-get": "exit 100" }), 0);
  expect(code).toBe(100);
  expect(output).toContain("the package list could not be read");
});

test("nothing is asked of apt-get when everything is there", () => {
  const asked = join(newTestHome(), "asked");
  const there = { cc: "", make: "", "musl-gcc": "" };
  const { code } = ensure(makePrograms({ ...there, "apt-get": `echo "$*" >> ${asked}` }), 0);
  expect(code).toBe(0);
  expect(existsSync(asked)).toBe(false);
});
