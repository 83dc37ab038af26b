// bin/holdfast is what a person types in a checkout: it must work, or say what to do, on any Node.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newTestHome } from "../support/test-home.ts";

const repository = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };

interface Pretence {
  readonly platform?: string;
  readonly nodeVersion?: string;
}

/** Runs a copy of bin/holdfast whose Node claims to be another one. */
function runHoldfast(directory: string, args: readonly string[], pretence: Pretence = {}) {
  const preload = join(directory, "pretend.cjs");
  const lines = Object.entries(pretence).map(([key, value]) =>
    key === "platform"
      ? `Object.defineProperty(process, "platform", { value: ${JSON.stringify(value)} });`
      : `Object.defineProperty(process, "versions", { value: { ...process.versions, node: ${JSON.stringify(value)} } });`,
  );
  writeFileSync(preload, lines.join("\n"));
  const result = spawnSync(process.execPath, ["-r", preload, join(directory, "bin/holdfast"), ...args], {
    encoding: "utf8",
  });
  return { code: result.status, signal: result.signal, stdout: result.stdout, stderr: result.stderr };
}

/** A checkout with the launcher and the CLI, and with no node_modules. */
function copyCheckout(): string {
  const directory = newTestHome();
  cpSync(join(repository, "bin"), join(directory, "bin"), { recursive: true });
  cpSync(join(repository, "src/cli"), join(directory, "src/cli"), { recursive: true });
  copyFileSync(join(repository, "package.json"), join(directory, "package.json"));
  return directory;
}

/** Puts a program where the npm package `node` puts its own. */
function placeOwnNode(directory: string, script: string): void {
  const place = join(directory, "node_modules/node/bin");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "node"), script);
  chmodSync(join(place, "node"), 0o755);
}

test("runs the CLI in its own process when its Node is new enough", () => {
  expect(runHoldfast(copyCheckout(), ["--version"])).toMatchObject({ code: 0, stdout: `${version}\n` });
});

test("takes the checkout's Node when its own is too old, and passes arguments and exit code on", () => {
  const directory = copyCheckout();
  placeOwnNode(directory, `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
  const old = { nodeVersion: "20.1.0" };
  expect(runHoldfast(directory, ["--version"], old)).toMatchObject({ code: 0, stdout: `${version}\n` });
  expect(runHoldfast(directory, ["no-such-verb"], old)).toMatchObject({ code: 2 });
});

test("dies of the signal that the checkout's Node died of", () => {
  const directory = copyCheckout();
  placeOwnNode(directory, "#!/bin/sh\nkill -TERM $$\n");
  expect(runHoldfast(directory, [], { nodeVersion: "20.1.0" })).toMatchObject({ signal: "SIGTERM" });
});

test("says what to do when no Node is new enough", () => {
  const answer = runHoldfast(copyCheckout(), ["--version"], { nodeVersion: "20.1.0" });
  expect(answer).toMatchObject({ code: 3, stdout: "" });
  expect(answer.stderr).toContain("npm install");
});

test("stops on Windows with UNSUPPORTED_PLATFORM", () => {
  const answer = runHoldfast(copyCheckout(), ["--version"], { platform: "win32" });
  expect(answer).toMatchObject({ code: 2, stdout: "" });
  expect(answer.stderr).toContain("UNSUPPORTED_PLATFORM");
});

test("help says what exists, and an unknown command ends with 2", () => {
  const directory = copyCheckout();
  expect(runHoldfast(directory, ["--help"]).stdout).toContain("Only its keeper exists so far");
  const unknown = runHoldfast(directory, ["frobnicate"]);
  expect(unknown).toMatchObject({ code: 2, stdout: "" });
  expect(unknown.stderr).toContain('unknown command "frobnicate"');
});
