// A daemon that is put in the place of another, by hand, from inside, in its own place, and by a service manager.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readPresence } from "../../src/home/index.ts";
import type { DaemonStatus } from "../../src/protocol/daemon.ts";
import type { ProcessView } from "../../src/protocol/process.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { readyDaemonProgram } from "../support/daemon-program.ts";
import { untilDead } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

const built = buildPackage();

function commandLine(): CliHome {
  return openCliHome(newTestHome(), built.cli);
}

function statusOf(cli: CliHome): Promise<DaemonStatus> {
  return cli.json<DaemonStatus>(["daemon", "status", "--json"]);
}

interface Restarted {
  readonly before: { readonly pid: number } | null;
  readonly after: { readonly pid: number; readonly running: number };
  readonly how: string;
}

test("`daemon restart` replaces the one that runs, or starts one, and says which", async () => {
  const cli = commandLine();
  const first = await cli.json<Restarted>(["daemon", "restart", "--json"]);
  expect(first).toMatchObject({ before: null, how: "started", after: { running: 0 } });
  const id = await cli.background("--", "sleep", "60");
  const [{ pid } = { pid: 0 }] = await cli.json<ProcessView[]>(["ps", "--json"]);
  const second = await cli.json<Restarted>(["daemon", "restart", "--json"]);
  expect(second).toMatchObject({ before: { pid: first.after.pid }, how: "replaced", after: { running: 1 } });
  await untilDead(first.after.pid);
  expect(await cli.json<ProcessView[]>(["ps", "--json"])).toMatchObject([{ id, state: "running", pid }]);
  const told = await cli.run(["daemon", "restart"]);
  expect(told.stdout).toMatch(
    new RegExp(
      `^The daemon, process ${second.after.pid} \\(.*\\), was replaced by process \\d+ \\(.*\\); 1 process goes on\\n$`,
    ),
  );
});

test("`run` in the foreground and `wait` go on through a restart, with every line and the true exit code", async () => {
  const cli = commandLine();
  const goOn = join(newTestHome(), "go-on");
  writeFileSync(goOn, "");
  const script = `echo first; while [ -e ${goOn} ]; do sleep 0.01; done; echo last; exit 3`;
  const running = cli.start(["run", "--name", "fore", "--", "sh", "-c", script]);
  await running.shows("first\n");
  const waiting = cli.start(["wait", "fore"]);
  const client = await connectedClient({ home: cli.home });
  await expect
    .poll(async () => (await client.daemon.idle()).sources)
    .toContainEqual({ name: "waits", count: 2 });
  const { after } = await cli.json<Restarted>(["daemon", "restart", "--json"]);
  rmSync(goOn);
  expect(await running.answer).toMatchObject({ code: 3, stdout: "first\nlast\n", stderr: "" });
  expect(await waiting.answer).toMatchObject({ code: 0, stderr: "" });
  expect((await statusOf(cli)).pid).toBe(after.pid);
});

test("from inside a kept process of the same home: the new one is outside its tree", async () => {
  const cli = commandLine();
  const script = `read go; ${process.execPath} ${built.cli} daemon restart; echo "told $?"; exec sleep 60`;
  const id = await cli.background("-i", "--", "sh", "-c", script);
  const old = readPresence(cli.home).owner?.pid;
  await cli.run(["send", id, "go", "--enter"]);
  expect(await cli.run(["wait", id, "--for", "log:told"])).toMatchObject({ code: 0 });
  const { pid } = await statusOf(cli);
  expect(pid).not.toBe(old);
  expect((await cli.run(["logs", id])).stdout).toMatch(
    new RegExp(`^The daemon, process ${old} \\(.*\\), was replaced by process ${pid} \\(.*\\n?told 0\\n$`),
  );
  expect(await cli.run(["stop", id, "--grace", "0"])).toMatchObject({ code: 0 });
  expect(await statusOf(cli)).toMatchObject({ state: "running", pid });
});

test("asked over the API without a service manager it starts anew in its own place", async () => {
  const cli = commandLine();
  const daemon = await readyDaemonProgram(cli.home, { program: built.daemon });
  const client = await connectedClient({ home: cli.home });
  const before = await client.daemon.status();
  const { id, pid } = await client.process.start({ command: ["sleep", "60"], cwd: "/" });
  await client.daemon.stop({ restart: true });
  const startedAt = async (): Promise<string> => (await client.daemon.status()).startedAt;
  await expect.poll(startedAt).not.toBe(before.startedAt);
  expect(await client.daemon.status()).toMatchObject({ pid: daemon.pid, state: "running" });
  expect(await client.process.get({ id })).toMatchObject({ state: "running", pid });
});

/** Runs the daemon as systemd does, and again whenever it asks for that with 75. */
async function supervise(home: string): Promise<{ readonly code: Promise<number | null> }> {
  const again = `while :; do
    sh -c 'SYSTEMD_EXEC_PID=$$ exec "$0" "$1"' "$0" "$1"; code=$?
    [ $code = 75 ] || exit $code
  done`;
  const child = spawn("/bin/sh", ["-c", again, process.execPath, built.daemon], {
    env: { PATH: process.env["PATH"], HOME: home, HOLDFAST_HOME: home },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const code = once(child, "exit").then(([exitCode]: unknown[]) => exitCode as number | null); // of a child
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await code;
  });
  await once(child.stdout, "data");
  return { code };
}

test("under a service manager it is brought back by that, and a stop is not undone", async () => {
  const cli = commandLine();
  const manager = await supervise(cli.home);
  const before = await statusOf(cli);
  expect(before.supervisor?.kind).toBe("systemd");
  const id = await cli.background("--", "sleep", "60");
  const told = await cli.json<Restarted>(["daemon", "restart", "--json"]);
  expect(told).toMatchObject({ before: { pid: before.pid }, how: "brought back", after: { running: 1 } });
  expect(await statusOf(cli)).toMatchObject({ pid: told.after.pid, supervisor: { kind: "systemd" } });
  await untilDead(before.pid);
  expect((await cli.run(["ps", "-q"])).stdout).toBe(`${id}\n`);
  // What came back would end at once: the one that runs is left alone.
  writeFileSync(join(cli.home, "holdfast.yaml"), "stop:\n  graceMs: soon\n");
  const refused = await cli.run(["daemon", "restart"]);
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toMatch(/holdfast\.yaml:2: stop\.graceMs.*\[CONFIG_INVALID\]/);
  expect(await statusOf(cli)).toMatchObject({ pid: told.after.pid });
  writeFileSync(join(cli.home, "holdfast.yaml"), "");
  expect(await cli.run(["daemon", "stop"])).toMatchObject({ code: 0 });
  expect(await manager.code).toBe(0);
});
