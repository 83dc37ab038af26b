// What a daemon leaves that could not say goodbye: told as stale, and the next one takes its place.
import { truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { homeFiles, readPresence, readRecord } from "../../src/home/index.ts";
import { writeRecord } from "../../src/home/record.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { holdHome, takeHome } from "../support/held-home.ts";
import { freeze } from "../support/process-facts.ts";
import { expectUntouched, giveToStranger, withItsNumber } from "../support/stranger.ts";
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
  withItsNumber(async () => {
    const daemon = await openDaemonHome();
    const pid = daemon.pid();
    await daemon.kill();
    const stranger = await giveToStranger(pid);
    expect(readPresence(daemon.home)).toMatchObject({ state: "stale", owner: null, record: { pid } });
    await daemon.start();
    expect(readPresence(daemon.home)).toMatchObject({ state: "running", owner: { pid: daemon.pid() } });
    expect(daemon.pid()).not.toBe(pid);
    expectUntouched(stranger);
  }),
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
