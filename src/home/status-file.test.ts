import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { DaemonRecord } from "../protocol/daemon.ts";
import { homeFiles } from "./files.ts";
import { ownRecord, readRecord, removeRecord, writeRecord } from "./record.ts";
import { readStatusFile, StatusFile } from "./status-file.ts";

const supervisor = { kind: "none", name: null } as const;

function begin(record: DaemonRecord, reports: string[] = []): StatusFile {
  const report = (message: string): void => void reports.push(message);
  return StatusFile.begin({ record, supervisor, previousEnd: undefined, report });
}

function newRecord(): DaemonRecord {
  return ownRecord(mkdtempSync(join(homedir(), "home-")), "1.0.0", false);
}

test("a beginning writes record and status, for their owner only, and leaves nothing else", () => {
  const record = newRecord();
  begin(record);
  expect(readRecord(record.home)).toEqual(record);
  expect(readStatusFile(record.home)).toMatchObject({
    writer: { pid: process.pid, startTime: record.startTime, bootId: record.bootId },
    version: "1.0.0",
    state: "starting",
    exitReason: null,
    restartRequested: false,
  });
  const files = homeFiles(record.home);
  expect([files.record, files.status].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(readdirSync(record.home).toSorted()).toEqual(["daemon-status.json", "daemon.json"]);
});

test("what a change does not name stays, and null clears", () => {
  const record = newRecord();
  const file = begin(record);
  file.change({ state: "draining", exitReason: "asked to", restartRequested: true });
  file.change({ state: "running" });
  expect(readStatusFile(record.home)).toMatchObject({
    state: "running",
    exitReason: "asked to",
    restartRequested: true,
  });
  file.change({ exitReason: null });
  expect(readStatusFile(record.home)).toMatchObject({ state: "running", exitReason: null });
});

test("a listener has one line, with the last that is known of it", () => {
  const record = newRecord();
  const file = begin(record);
  const socket = { name: "socket", address: "/s" };
  file.setListener({ ...socket, state: "failed", errorCode: "EADDRINUSE", message: "in use" });
  file.setListener({ ...socket, state: "listening", errorCode: null, message: null });
  expect(readStatusFile(record.home)?.listeners).toEqual([
    { ...socket, state: "listening", errorCode: null, message: null, at: expect.any(String) as string },
  ]);
});

test("counts are written once a second however often they change, and not at all while they stay", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const record = newRecord();
  const file = begin(record);
  const text = (): string => readFileSync(homeFiles(record.home).status, "utf8");
  const before = text();
  for (let processes = 1; processes <= 1_000; processes++) file.setActive({ processes });
  expect(text()).toBe(before);
  vi.advanceTimersByTime(1_000);
  expect(readStatusFile(record.home)?.active).toEqual({ processes: 1_000 });
  const after = text();
  file.setActive({ processes: 1_000 });
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(text()).toBe(after);
});

test("after the last word nothing is written, whatever is still said", () => {
  const record = newRecord();
  const file = begin(record);
  file.setActive({ processes: 1 });
  file.leave({ state: "stopped", exitReason: "SIGTERM" });
  expect(readStatusFile(record.home)).toMatchObject({ state: "stopped", exitReason: "SIGTERM" });
  rmSync(homeFiles(record.home).status);
  file.change({ state: "running" });
  file.setActive({ processes: 2 });
  file.setListener({ name: "s", address: "", state: "closed", errorCode: null, message: null });
  file.leave({ state: "failed", exitReason: "again" });
  expect(readStatusFile(record.home)).toBeUndefined();
});

test("who was replaced writes nothing over its successor's files, and removes none of them", () => {
  const record = newRecord();
  const file = begin(record);
  // Process 1 stands for the successor: it is alive, and another.
  const successor = { ...record, pid: 1, startTime: record.startTime + 1, pidNamespace: "pid:[1]" };
  writeRecord(successor);
  writeFileSync(homeFiles(record.home).status, "the successor's");
  file.change({ state: "draining" });
  file.leave({ state: "stopped", exitReason: "late" });
  removeRecord(record);
  expect(readRecord(record.home)).toEqual(successor);
  expect(readFileSync(homeFiles(record.home).status, "utf8")).toBe("the successor's");
});

test("a record that was left by a dead one, removed or damaged is written again with the next change", () => {
  const record = newRecord();
  const file = begin(record);
  writeRecord({ ...record, startTime: record.startTime + 1 });
  file.change({ state: "running" });
  expect(readRecord(record.home)).toEqual(record);
  rmSync(homeFiles(record.home).record);
  file.change({ state: "degraded" });
  expect(readRecord(record.home)).toEqual(record);
  writeFileSync(homeFiles(record.home).record, '{"pid":');
  file.change({ state: "running" });
  expect(readRecord(record.home)).toEqual(record);
});

test("a write that fails is told once, hurts nobody, and heals", () => {
  const record = newRecord();
  const { status } = homeFiles(record.home);
  const reports: string[] = [];
  mkdirSync(status); // nothing can be renamed over a directory
  const file = begin(record, reports);
  file.change({ state: "running" });
  expect(reports).toHaveLength(1);
  expect(reports[0]).toContain(status);
  expect(readdirSync(record.home).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  rmSync(status, { recursive: true });
  file.change({ state: "degraded" });
  expect(readStatusFile(record.home)).toMatchObject({ state: "degraded" });
  expect(reports).toHaveLength(1);
});
