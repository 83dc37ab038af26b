// bin/holdfast is what a person types in a checkout: it must work, or say what to do, on any Node.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
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

/** Stands for the command line: tells which file it is, and ends with the number it is given. */
const answering = (file: string): string =>
  `process.stdout.write("${file} " + process.argv.slice(2).join(" ") + "\\n"); process.exitCode = Number(process.argv[3] ?? 0);\n`;

/** A checkout with bin/holdfast, a command line that only answers, and no node_modules. */
function copyCheckout(): string {
  const directory = newTestHome();
  cpSync(join(repository, "bin"), join(directory, "bin"), { recursive: true });
  mkdirSync(join(directory, "src/cli"), { recursive: true });
  writeFileSync(join(directory, "src/cli/main.ts"), answering("sources"));
  copyFileSync(join(repository, "package.json"), join(directory, "package.json"));
  return directory;
}

/** A bundle made from src/cli/main.ts, which is older or newer than it. */
function placeBundle(directory: string, sourceAge: "older" | "newer"): void {
  mkdirSync(join(directory, "dist"));
  writeFileSync(join(directory, "dist/holdfast.cjs"), answering("bundle"));
  writeFileSync(join(directory, "dist/holdfast.cjs.inputs"), "src/cli/main.ts\n");
  const seconds = Date.now() / 1_000 + (sourceAge === "newer" ? 60 : -60);
  utimesSync(join(directory, "src/cli/main.ts"), seconds, seconds);
}

/** Puts a program where the npm package `node` puts its own. */
function placeOwnNode(directory: string, script: string): void {
  const place = join(directory, "node_modules/node/bin");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "node"), script);
  chmodSync(join(place, "node"), 0o755);
}

test("runs the sources of a checkout when its Node is new enough", () => {
  const answer = runHoldfast(copyCheckout(), ["verb", "7"]);
  expect(answer).toMatchObject({ code: 7, stdout: "sources verb 7\n", stderr: "" });
});

test("runs the bundle while it is newer than its sources, and the sources when they are", () => {
  const fresh = copyCheckout();
  placeBundle(fresh, "older");
  expect(runHoldfast(fresh, ["verb"])).toMatchObject({ code: 0, stdout: "bundle verb\n" });
  const stale = copyCheckout();
  placeBundle(stale, "newer");
  expect(runHoldfast(stale, ["verb"])).toMatchObject({ code: 0, stdout: "sources verb\n" });
  rmSync(join(fresh, "src/cli/main.ts"));
  writeFileSync(join(fresh, "dist/holdfast.cjs.inputs"), "src/cli/gone.ts\n");
  // An installed package has no sources; what its bundle was made from is of no interest there.
  expect(runHoldfast(fresh, ["verb"])).toMatchObject({ code: 0, stdout: "bundle verb\n" });
});

test("takes the checkout's Node when its own is too old, and passes arguments and exit code on", () => {
  const directory = copyCheckout();
  placeOwnNode(directory, `#!/bin/sh\nexec ${process.execPath} "$@"\n`);
  const old = { nodeVersion: "20.1.0" };
  expect(runHoldfast(directory, ["verb", "9"], old)).toMatchObject({ code: 9, stdout: "sources verb 9\n" });
});

test("says that packages are missing", () => {
  const directory = copyCheckout();
  writeFileSync(join(directory, "src/cli/main.ts"), 'import "no-such-package";\n');
  const answer = runHoldfast(directory, []);
  expect(answer).toMatchObject({ code: 3, stdout: "" });
  expect(answer.stderr).toContain("npm install");
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

test("the real command line tells its version and its commands", () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(repository, "bin/holdfast"), ...args], { encoding: "utf8" });
  expect(run("--version")).toMatchObject({ status: 0, stdout: `${version}\n` });
  const help = run("--help");
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toMatch(/^ {2}run\|start \[options\]/m);
  expect(run()).toMatchObject({ status: 0, stdout: help.stdout });
});
