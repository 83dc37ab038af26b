// Why a daemon went is in the log and in the status file; of one that was killed its successor says so.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeStatus } from "../../src/protocol/daemon.ts";
import { startCli } from "../support/cli-home.ts";
import { ask } from "../support/daemon-calls.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { runDaemonProgram } from "../support/daemon-program.ts";
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

/** For a daemon that runs this code as soon as it has the home, and before it answers. */
function whileStarting(home: string, code: string): { readonly NODE_OPTIONS: string } {
  const file = JSON.stringify(join(home, "daemon-status.json"));
  const look = `const {writer,state}=JSON.parse(fs.readFileSync(${file},"utf8"));`;
  const isOwn = 'writer.pid===process.pid&&state==="starting"';
  const script = `import fs from "node:fs";setInterval(()=>{${look}if(${isOwn}){${code}}},1).unref()`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

const told = 'process.kill(process.pid,"SIGINT");';

test.each([
  ["an error nobody foresaw", 'throw new Error("boom")', "an error nobody foresaw: boom"],
  ["being told twice to go", `${told}${told}`, "SIGINT"],
])(
  "%s while it starts is told by the next one as what it was, not as a kill",
  async (_what, code, reason) => {
    const daemon = await openDaemonHome();
    await daemon.terminate();
    const { outcome, pid } = runDaemonProgram(daemon.home, { environment: whileStarting(daemon.home, code) });
    expect(await outcome).not.toBe("ready");
    await daemon.start();
    expect(statusFile(daemon.home).previousEnd).toMatchObject({ how: "left", pid, reason });
  },
);
