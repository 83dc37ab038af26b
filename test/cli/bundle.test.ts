// The built command line: one file that starts fast, with a daemon of its own beside it.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const repository = join(import.meta.dirname, "../..");

function build(directory: string): void {
  const built = spawnSync(process.execPath, [join(repository, "scripts/build-cli.mjs"), directory], {
    encoding: "utf8",
  });
  expect(built, built.stderr).toMatchObject({ status: 0 });
}

/** A package as it is installed: the bundle and the keeper, no sources, no packages. */
function installPackage(): string {
  const directory = newTestHome();
  build(join(directory, "dist"));
  cpSync(join(repository, "bin"), join(directory, "bin"), { recursive: true });
  copyFileSync(join(repository, "package.json"), join(directory, "package.json"));
  mkdirSync(join(directory, "keeper"));
  symlinkSync(join(repository, "keeper/build"), join(directory, "keeper/build"));
  return directory;
}

function run(directory: string, home: string, ...args: string[]) {
  const environment = { PATH: process.env["PATH"], HOME: testDirectory(), HOLDFAST_HOME: home };
  return spawnSync(process.execPath, [join(directory, "bin/holdfast"), ...args], {
    encoding: "utf8",
    env: environment,
  });
}

test("runs without sources and packages, and starts the bundled daemon", async () => {
  const [directory, home] = [installPackage(), newTestHome()];
  onTestFinished(() => {
    run(directory, home, "daemon", "stop");
    process.kill(
      Number(/^pid (\d+)/m.exec(readFileSync(join(home, "launcher.lock"), "utf8"))?.[1]),
      "SIGKILL",
    );
  });
  const answer = run(directory, home, "run", "--", "sh", "-c", "echo bundled; exit 3");
  expect(answer).toMatchObject({ status: 3, stdout: "bundled\n", stderr: "" });
  const { pid, version } = JSON.parse(run(directory, home, "daemon", "status", "--json").stdout) as {
    pid: number;
    version: string;
  };
  expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain(join(directory, "dist/daemon/main.mjs"));
  expect(`${version}\n`).toBe(run(directory, home, "--version").stdout);
  // Matching runs in a thread, which has a file of its own.
  const watched = run(directory, home, "run", "-d", "--watch", "seen", "--", "sh", "-c", "echo seen");
  const id = watched.stdout.trim();
  expect(run(directory, home, "wait", id)).toMatchObject({ status: 0 });
  // The end does not wait for a matcher that is far behind.
  const listed = (): unknown => JSON.parse(run(directory, home, "watch", "list", id, "--json").stdout);
  await expect.poll(listed).toMatchObject([{ hits: 1 }]);
});

test("loads neither zod nor node:http nor another command's modules", () => {
  const directory = newTestHome();
  build(directory);
  const inputs = readFileSync(join(directory, "holdfast.cjs.inputs"), "utf8").split("\n");
  // The parts of the protocol that hold schemas bring zod with them.
  const schemas = ["operations", "process", "control", "wait", "output", "daemon", "ids", "events", "exit"];
  expect(inputs.filter((path) => schemas.some((name) => path === `src/protocol/${name}.ts`))).toEqual([]);
  const text = readFileSync(join(directory, "holdfast.cjs"), "utf8");
  expect(text).not.toMatch(/require\("(?:node:)?https?"\)/);
  expect(text).not.toMatch(/node_modules\/(?!commander)/);
  const probe = `process.argv = [process.execPath, "holdfast", "ps", "--no-start"]; const exit = process.exit;
    process.exit = () => { process._rawDebug(process.moduleLoadList.filter((name) => /child_process|http/.test(name)).join()); exit(0); };
    require(${JSON.stringify(join(directory, "holdfast.cjs"))});`;
  const environment = { HOLDFAST_HOME: directory };
  const probed = spawnSync(process.execPath, ["-e", probe], { encoding: "utf8", env: environment });
  expect(probed.stdout).toMatch(/^ID +NAME/);
  expect(probed.stderr.trim()).toBe("");
});
