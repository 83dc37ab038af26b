import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCliHome } from "../support/cli-home.ts";
import { cliProgram } from "../support/programs.ts";
import { newTestHome } from "../support/test-home.ts";

interface Status {
  readonly pid: number;
  readonly running: number;
  readonly home: string;
}

test("a daemon started from a shell outlives it, however the shell ends", async () => {
  const cli = openCliHome();
  const start = `"$0" "$1" run -d -- sleep 1000; echo started; read never`;
  const shell = spawn("sh", ["-c", start, process.execPath, cliProgram], {
    env: cli.environment,
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let seen = "";
  for await (const chunk of shell.stdout) if ((seen += String(chunk)).includes("started")) break;
  const before = await cli.json<Status>(["daemon", "status", "--json"]);
  for (const signal of ["SIGHUP", "SIGTERM", "SIGKILL"] as const) {
    try {
      process.kill(-(shell.pid ?? 0), signal); // its whole group, as a closing terminal does
    } catch {
      break; // gone with the one before
    }
  }
  if (shell.exitCode === null && shell.signalCode === null) await once(shell, "exit");
  expect(await cli.json<Status>(["daemon", "status", "--json"])).toMatchObject({
    pid: before.pid,
    running: 1,
  });
});

test("a home on a path of 200 characters works like any other", async () => {
  const home = join(newTestHome(), "x".repeat(100), "y".repeat(100));
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const cli = openCliHome(home);
  const answer = await cli.run(["run", "--", "sh", "-c", "echo from far away; exit 5"]);
  expect(answer).toMatchObject({ code: 5, stdout: "from far away\n" });
  expect((await cli.json<Status>(["daemon", "status", "--json"])).home).toBe(home);
});
