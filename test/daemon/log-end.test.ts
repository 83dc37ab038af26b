// Why a daemon went is in the log and in the status file; of one that was killed its successor says so.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeStatus } from "../../src/protocol/daemon.ts";
import { startCli } from "../support/cli-home.ts";
import { ask } from "../support/daemon-calls.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { loggedEntries, type LoggedEntry } from "../support/daemon-logs.ts";

function statusFile(home: string): RuntimeStatus {
  return JSON.parse(readFileSync(join(home, "daemon-status.json"), "utf8")) as RuntimeStatus; // of the daemon under test
}

function entriesOf(daemon: DaemonHome, pid: number): LoggedEntry[] {
  return loggedEntries(daemon.home).filter((entry) => entry.pid === pid);
}

test("one that was killed is told by the next: in the log, the status file, status and doctor", async () => {
  const daemon = await openDaemonHome();
  const pid = daemon.pid();
  const before = statusFile(daemon.home);
  expect(before.previousEnd).toBeNull();
  await daemon.kill();
  await daemon.start();
  const previousEnd = {
    how: "killed",
    reason: null,
    pid,
    version: before.version,
    startedAt: before.startedAt,
    lastSeenAt: expect.stringMatching(/Z$/) as string,
  };
  expect(entriesOf(daemon, daemon.pid())).toMatchObject([
    { msg: "starting" },
    { level: "warn", previousEnd },
    { msg: "ready" },
  ]);
  expect(statusFile(daemon.home).previousEnd).toEqual(previousEnd);
  expect((await ask(daemon, "daemon.status", {})).previousEnd).toEqual(previousEnd);
  const { checks } = await ask(daemon, "doctor", {});
  expect(checks.find(({ name }) => name === "daemon")).toMatchObject({
    result: "warning",
    message: `The daemon before this one, process ${pid}, was killed.`,
  });
  const environment = { PATH: process.env["PATH"] ?? "", HOME: "/", HOLDFAST_HOME: daemon.home };
  const { stdout } = await startCli(environment, ["daemon", "status"]).answer;
  expect(stdout).toMatch(new RegExp(`^before it +process ${pid}, killed, last seen `, "m"));
});

test("one that left says why itself, and nobody calls it killed", async () => {
  const daemon = await openDaemonHome();
  const pid = daemon.pid();
  await daemon.terminate();
  expect(entriesOf(daemon, pid).map(({ msg }) => msg)).toEqual(["starting", "ready", "going", "gone"]);
  const reason = entriesOf(daemon, pid)[2]?.["reason"];
  expect(reason).toContain("SIGTERM");
  expect(statusFile(daemon.home)).toMatchObject({ state: "stopped", exitReason: reason });
  await daemon.start();
  expect(statusFile(daemon.home).previousEnd).toMatchObject({ how: "left", reason, pid });
  expect(entriesOf(daemon, daemon.pid()).map(({ level }) => level)).toEqual(["info", "info"]);
});

test("files of an earlier boot are of one that the machine went down with", async () => {
  const daemon = await openDaemonHome();
  await daemon.kill();
  for (const name of ["daemon.json", "daemon-status.json"]) {
    const path = join(daemon.home, name);
    const text = readFileSync(path, "utf8").replaceAll(/"bootId":"[^"]+"/g, '"bootId":"earlier"');
    writeFileSync(path, text);
  }
  await daemon.start();
  const warned = entriesOf(daemon, daemon.pid()).find(({ level }) => level === "warn");
  expect(warned).toMatchObject({
    msg: expect.stringContaining("the machine was restarted") as string,
    previousEnd: { how: "rebooted" },
  });
});

test.each([
  ["uncaughtException", "throw new Error('boom')"],
  ["unhandledRejection", "Promise.reject(new Error('boom'))"],
])(
  "an error nobody foresaw (%s) is in the log with its stack before the daemon ends with 70",
  async (origin, code) => {
    const script = `process.on('SIGUSR2',()=>{setTimeout(()=>{${code}})})`;
    const options = `--import=data:text/javascript,${encodeURIComponent(script)}`;
    const daemon = await openDaemonHome({ environment: { NODE_OPTIONS: options } });
    const pid = daemon.pid();
    process.kill(pid, "SIGUSR2");
    expect(await daemon.exited()).toBe(70);
    const last = entriesOf(daemon, pid).at(-1);
    expect(last).toMatchObject({
      level: "fatal",
      reason: origin,
      err: {
        type: "Error",
        message: "boom",
        stack: expect.stringMatching(/^Error: boom\n {4}at /) as string,
      },
    });
    expect(statusFile(daemon.home)).toMatchObject({
      state: "failed",
      exitReason: expect.stringContaining("boom") as string,
    });
    await daemon.start();
    expect(statusFile(daemon.home).previousEnd).toMatchObject({ how: "left", pid });
  },
);
