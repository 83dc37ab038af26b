import { expect, test } from "vitest";
import type { DaemonRecord, RuntimeStatus } from "../protocol/daemon.ts";
import { previousEndOf } from "./previous-end.ts";

const writer = { pid: 7, startTime: 70, bootId: "this", pidNamespace: "pid:[1]" };
const record: DaemonRecord = { ...writer, argv: ["node"], home: "/h", version: "1.2.3", isEmbedded: false };
const startedAt = "2026-01-02T03:00:00.000Z";
const updatedAt = "2026-01-02T03:04:05.000Z";

function status(more: Partial<RuntimeStatus> = {}): RuntimeStatus {
  return {
    writer,
    version: "1.2.3",
    supervisor: { kind: "none", name: null },
    state: "running",
    exitReason: null,
    restartRequested: false,
    active: { processes: 0 },
    listeners: [],
    startedAt,
    updatedAt,
    previousEnd: null,
    ...more,
  };
}

const nothing = { record: undefined, status: undefined, loggedAtMs: undefined, bootId: "this" };

test("nothing is left of none", () => {
  expect(previousEndOf(nothing)).toBeUndefined();
});

test("one that said why it went has left", () => {
  const left = status({ state: "stopped", exitReason: "SIGTERM" });
  const loggedAtMs = Date.parse(updatedAt) - 10;
  expect(previousEndOf({ ...nothing, status: left, loggedAtMs })).toEqual({
    how: "left",
    reason: "SIGTERM",
    pid: 7,
    version: "1.2.3",
    startedAt,
    lastSeenAt: updatedAt,
  });
});

test("one that did not was killed in this boot, or by a reboot, or nobody can say", () => {
  const loggedAtMs = Date.parse(updatedAt) + 5_000;
  const how = (bootId: string): unknown =>
    previousEndOf({ record, status: status(), loggedAtMs, bootId })?.how;
  expect([how("this"), how("another"), how("")]).toEqual(["killed", "rebooted", "unknown"]);
  expect(previousEndOf({ record, status: status(), loggedAtMs, bootId: "this" })).toMatchObject({
    reason: null,
    lastSeenAt: "2026-01-02T03:04:10.000Z",
  });
});

test("a record without a status of its own is of one that was killed before it could write it", () => {
  const earlier = status({ writer: { ...writer, pid: 6 }, state: "stopped", exitReason: "SIGTERM" });
  for (const found of [undefined, earlier])
    expect(previousEndOf({ ...nothing, record, status: found })).toEqual({
      how: "killed",
      reason: null,
      pid: 7,
      version: "1.2.3",
      startedAt: null,
      lastSeenAt: null,
    });
});
