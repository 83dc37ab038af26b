import { expect, test } from "vitest";
import { exitRecordSchema, exitSchema, type ExitRecord } from "./exit.ts";

const record: ExitRecord = {
  exit: { kind: "signaled", signal: 9, coreDumped: false },
  stopReason: "user",
  stopBy: "a person",
  endedAt: 1_800_000_000_000,
  durationUs: 1_500,
  usage: { userUs: 1, systemUs: 2, maxRssKib: 3 },
  outputBytes: 10,
  gapBytes: 0,
  descendants: 0,
};

test("an exit record passes through JSON unchanged", () => {
  expect(exitRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
});

test("an exit says everything its kind needs", () => {
  expect(exitSchema.safeParse({ kind: "exited" }).success).toBe(false);
  expect(exitSchema.safeParse({ kind: "exited", code: 256 }).success).toBe(false);
  expect(exitSchema.safeParse({ kind: "signaled", signal: 15 }).success).toBe(false);
  expect(exitSchema.safeParse({ kind: "spawn_failed", stage: "lunch", errno: 2 }).success).toBe(false);
  expect(exitSchema.safeParse({ kind: "lost", lastSeen: 0 }).success).toBe(true);
});
