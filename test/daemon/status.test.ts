// `holdfast daemon status`: how the daemon is, or was, whether it answers or not.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { daemonReport, type DaemonReport } from "../../src/cli/daemon-report.ts";
import { readPresence, readStatusFile } from "../../src/home/index.ts";
import { openCliHome } from "../support/cli-home.ts";
import { cliProgram } from "../support/programs.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { holdHome } from "../support/held-home.ts";
import { freeze, thaw } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

// Whoever asks one that answers nobody waits two seconds for it. This much more is a loaded machine's; a hang has no end.
const boundMs = 30_000;

async function timed<Value>(work: Promise<Value>): Promise<{ value: Value; tookMs: number }> {
  const beganMs = performance.now();
  const value = await work;
  return { value, tookMs: performance.now() - beganMs };
}

test("a running one: since when, which version, which home, which supervisor, where it listens", async () => {
  const cli = openCliHome();
  await cli.background("--", "sleep", "60");
  const report = await cli.json<DaemonReport>(["daemon", "status", "--json"]);
  expect(report).toMatchObject({
    state: "running",
    home: cli.home,
    running: 1,
    answers: true,
    supervisor: { kind: "none", name: null },
    listeners: [{ name: "socket", address: join(cli.home, "daemon.sock"), state: "listening" }],
    owner: { pid: report.pid, liveness: "running" },
    record: { pid: report.pid, home: cli.home, version: report.version, isEmbedded: false },
    runtime: { state: "running", writer: { pid: report.pid }, startedAt: report.startedAt },
    since: report.startedAt,
    advice: "Nothing to do.",
  });
  const { stdout } = await cli.run(["daemon", "status"]);
  for (const line of [
    /^state +running$/m,
    /^since +\d{4}-/m,
    /^supervisor +none$/m,
    /^socket +.*sock listening$/m,
  ])
    expect(stdout).toMatch(line);
  // Written by itself, for a reader with no daemon.
  await expect.poll(() => readStatusFile(cli.home)?.active).toEqual({ processes: 1 });
});

test("a stopped one: when and why it went, and what to do", async () => {
  const cli = openCliHome();
  await cli.run(["daemon", "start"]);
  await cli.run(["daemon", "stop"]);
  const report = await cli.json<DaemonReport>(["daemon", "status", "--json"]);
  expect(report).toMatchObject({
    state: "stopped",
    pid: null,
    home: cli.home,
    startedAt: null,
    running: null,
    processes: null,
    answers: false,
    owner: null,
    record: null,
    runtime: { state: "stopped", listeners: [{ state: "closed" }] },
    advice: expect.stringContaining("holdfast daemon start") as string,
  });
  expect(report.runtime?.exitReason).toBeTruthy();
  expect(report.since).toBe(report.runtime?.updatedAt);
});

test("one that could not start is told as failed, with its reason", async () => {
  const cli = openCliHome();
  writeFileSync(join(cli.home, "holdfast.yaml"), "stop:\n  graceMs: soon\n");
  expect(await cli.run(["daemon", "run"])).toMatchObject({ code: 78 });
  expect(await cli.json<DaemonReport>(["daemon", "status", "--json"])).toMatchObject({
    state: "failed",
    pid: null,
    record: null,
    runtime: { state: "failed", exitReason: expect.stringContaining("graceMs") as string },
  });
  rmSync(join(cli.home, "holdfast.yaml"));
});

test("the one that the service manager started knows it, and one started below it does not take itself for it", async () => {
  const cli = openCliHome();
  const asSystemd = `SYSTEMD_EXEC_PID=$$ INVOCATION_ID=f00 exec "$0" "$@"`;
  const supervisorOf = async (...args: string[]): Promise<unknown> => {
    const child = spawn("sh", ["-c", asSystemd, process.execPath, cliProgram, "daemon", ...args], {
      env: cli.environment,
      stdio: ["ignore", "pipe", "inherit"],
    });
    // `start` leaves as soon as it has said that one runs.
    const gone = once(child, "exit");
    await once(child.stdout, "data");
    const { supervisor } = await daemonReport(cli.home);
    await cli.run(["daemon", "stop"]);
    await gone;
    return supervisor;
  };
  expect(await supervisorOf("run")).toMatchObject({ kind: "systemd" });
  expect(await supervisorOf("start")).toEqual({ kind: "none", name: null });
});

test("one that is stopped by a signal: at once, with how to continue it", async () => {
  const daemon = await openDaemonHome();
  const cli = openCliHome(daemon.home);
  await freeze(daemon.pid());
  try {
    const { value, tookMs } = await timed(cli.json<DaemonReport>(["daemon", "status", "--json"]));
    expect(value).toMatchObject({
      state: "running",
      pid: daemon.pid(),
      answers: false,
      owner: { liveness: "stopped" },
      advice: expect.stringContaining(`kill -CONT ${daemon.pid()}`) as string,
    });
    expect(tookMs).toBeLessThan(boundMs);
    expect((await cli.run(["daemon", "status"])).stdout).toMatch(/^pid +\d+ \(state T\)$/m);
  } finally {
    thaw(daemon.pid());
  }
  // It has two seconds to answer, and may not have had its turn since.
  await expect
    .poll(() => daemonReport(daemon.home))
    .toMatchObject({ state: "running", owner: { liveness: "running" }, answers: true });
});

test("one that takes connections and answers none: nobody hangs, not one of a thousand", async () => {
  const home = newTestHome();
  const holder = await holdHome(home, ["listen"]);
  const { value, tookMs } = await timed(Promise.all(Array.from({ length: 1_000 }, () => daemonReport(home))));
  for (const report of value) {
    expect(report).toMatchObject({ state: "running", pid: holder.pid, version: "9.9.9", answers: false });
  }
  expect(tookMs).toBeLessThan(boundMs);
  const told = await openCliHome(home).run(["daemon", "status"]);
  expect(told).toMatchObject({ code: 0, stderr: "" });
  expect(told.stdout).toMatch(/^state +running, does not answer$/m);
  expect(told.stdout).toMatch(/^next +.*--replace/m);
});

test("the status file follows: starting, running, draining, stopped", async () => {
  const daemon = await openDaemonHome();
  expect(readStatusFile(daemon.home)).toMatchObject({ state: "running", exitReason: null });
  const written = readStatusFile(daemon.home)?.updatedAt;
  await daemon.call("daemon.status");
  expect(readStatusFile(daemon.home)?.updatedAt).toBe(written); // nothing has changed
  await daemon.terminate();
  expect(readStatusFile(daemon.home)).toMatchObject({
    state: "stopped",
    exitReason: expect.stringContaining("SIGTERM") as string,
  });
  expect(readPresence(daemon.home)).toMatchObject({ state: "stopped", record: null });
});
