// What a daemon leaves that could not say goodbye: told as stale, and the next one takes its place.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { truncateSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { homeFiles, readPresence, readRecord } from "../../src/home/index.ts";
import { writeRecord } from "../../src/home/record.ts";
import { readProcessStat } from "../../src/util/process-identity.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { holdHome, takeHome } from "../support/held-home.ts";
import { freeze, isAlive } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

/** A home with what a killed daemon left. */
async function killedHome(): Promise<string> {
  const home = newTestHome();
  await (await holdHome(home)).kill();
  return home;
}

async function expectReplaced(home: string): Promise<void> {
  const own = await takeHome(home);
  expect(readRecord(home)).toMatchObject({ pid: process.pid, version: "1.2.3" });
  expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: process.pid } });
  own.release({ state: "stopped", exitReason: "the test is over" });
  expect(readPresence(home)).toMatchObject({ state: "stopped", record: null });
}

test("after kill -9", async () => {
  const home = await killedHome();
  expect(readPresence(home)).toMatchObject({ state: "stale", owner: null, status: { state: "running" } });
  expect(readPresence(home).reason).toMatch(/^Process \d+ left its record.*killed/);
  await expectReplaced(home);
});

test("after a reboot", async () => {
  const home = await killedHome();
  const record = readRecord(home);
  if (record === undefined) throw new Error("it left no record");
  writeRecord({ ...record, bootId: "00000000-0000-4000-8000-000000000000" });
  expect(readPresence(home)).toMatchObject({ state: "stale", owner: null });
  expect(readPresence(home).reason).toContain("the machine was restarted");
  await expectReplaced(home);
});

test.for<[string, (file: string) => void]>([
  ["empty", (file) => truncateSync(file)],
  ["half-written", (file) => truncateSync(file, 40)],
  ["garbage", (file) => writeFileSync(file, Buffer.from([0, 255, 254, 10, 128]))],
  ["of another shape", (file) => writeFileSync(file, '{"pid":"4711","startTime":null}')],
])("with a record and a status that are %s", async ([, damage]) => {
  const home = await killedHome();
  const files = homeFiles(home);
  damage(files.record);
  damage(files.status);
  expect(readPresence(home)).toMatchObject({ state: "stale", owner: null, record: null, status: null });
  await expectReplaced(home);
});

test.skipIf(process.getuid?.() !== 0)(
  "when a stranger has its pid by now, and that stranger is left alone",
  async () => {
    const daemon = await openDaemonHome();
    const pid = daemon.pid();
    await daemon.kill();
    await expect.poll(() => readProcessStat(pid), { timeout: 10_000, interval: 5 }).toBeUndefined();
    const child = spawn(compileFixture("take_pid"), [String(pid)], { stdio: ["pipe", "pipe", "inherit"] });
    const exited = once(child, "exit");
    onTestFinished(async () => {
      child.stdin.end();
      await exited;
    });
    await Promise.race([once(child.stdout, "data"), exited]);
    expect(isAlive(pid)).toBe(true);
    expect(readPresence(daemon.home)).toMatchObject({ state: "stale", owner: null, record: { pid } });
    await daemon.start();
    expect(readPresence(daemon.home)).toMatchObject({ state: "running", owner: { pid: daemon.pid() } });
    expect(daemon.pid()).not.toBe(pid);
    expect(isAlive(pid)).toBe(true);
  },
);

test("a daemon whose name holds spaces and parentheses is known for what it is", async () => {
  const home = newTestHome();
  const holder = await holdHome(home, ["title", "a) R 1 (b"]);
  expect(readPresence(home)).toMatchObject({
    state: "running",
    owner: { pid: holder.pid, liveness: "running" },
  });
  await freeze(holder.pid);
  expect(readPresence(home)).toMatchObject({ state: "running", owner: { liveness: "stopped" } });
  await holder.kill();
  expect(readPresence(home)).toMatchObject({ state: "stale" });
});

test("a record that proves nothing is unknown, not stale", async () => {
  const home = await killedHome();
  const record = readRecord(home);
  if (record === undefined) throw new Error("it left no record");
  // As macOS writes it: no boot id. The pid is somebody's.
  writeRecord({ ...record, pid: process.pid, startTime: 0, bootId: "", pidNamespace: "" });
  expect(readPresence(home)).toMatchObject({
    state: "unknown",
    owner: { pid: process.pid, liveness: "unknown" },
  });
  await expectReplaced(home); // the lock decides
});
