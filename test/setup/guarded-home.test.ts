import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDirectory } from "../support/test-home.ts";

const repository = join(import.meta.dirname, "../..");

/** Runs one throwaway test file under the real setup file, and returns what vitest said. */
function runTestFile(body: string, env: NodeJS.ProcessEnv = {}): { status: number | null; output: string } {
  const root = join(testDirectory(), "project");
  mkdirSync(root, { recursive: true });
  const file = join(root, "inner.test.ts");
  const config = join(root, "vitest.config.ts");
  const setup = join(repository, "test/setup/guarded-home.ts");
  const vitest = join(repository, "node_modules/vitest/vitest.mjs");
  writeFileSync(
    file,
    `import { expect, test } from ${JSON.stringify(join(repository, "node_modules/vitest/dist/index.js"))};\n${body}`,
  );
  writeFileSync(
    config,
    `export default { test: { root: ${JSON.stringify(root)}, pool: "forks", setupFiles: [${JSON.stringify(setup)}] } };`,
  );
  const result = spawnSync(process.execPath, [vitest, "run", "--config", config], {
    cwd: root,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: testDirectory(), NO_COLOR: "1", ...env },
  });
  return { status: result.status, output: result.stdout + result.stderr };
}

test("a variable of the person who runs the tests does not reach them, and HOME is a directory of the file", () => {
  const seen = join(testDirectory(), "seen");
  const body = `
    import { writeFileSync } from "node:fs";
    test("looks", () => {
      const names = Object.keys(process.env).filter((name) => name.startsWith("HOLDFAST_"));
      writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ names, home: process.env.HOME }));
      expect(names).toEqual([]);
    });`;
  const { status, output } = runTestFile(body, { HOLDFAST_HOME: "/nowhere", HOLDFAST_ANYTHING: "1" });
  expect(output).toContain("1 passed");
  expect(status).toBe(0);
  const { home } = JSON.parse(readFileSync(seen, "utf8")) as { home: string };
  expect(home).not.toBe(testDirectory());
  expect(existsSync(home)).toBe(false);
});

test("a test file that leaves a process behind fails, and is told which", () => {
  const body = `
    import { spawn } from "node:child_process";
    test("leaks", () => { spawn("sleep", ["20"], { stdio: "ignore", detached: true }).unref(); });`;
  const { status, output } = runTestFile(body);
  const pid = /pid (\d+) \(descendant\): sleep 20/.exec(output)?.[1];
  expect(pid, output).toBeDefined();
  process.kill(Number(pid), "SIGKILL");
  expect(status).toBe(1);
});
