import { describe, expect, test } from "vitest";
import { currentBootId, isRunning, parseIdentity, parseProcessStat, readProcessStat } from "./identity.ts";

const afterName = "S 1 2 3 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 50";

describe("parseProcessStat", () => {
  test("counts from the last parenthesis, whatever the name holds", () => {
    for (const name of ["sh", "a b", "evil) R 1 2", "((", ""]) {
      expect(parseProcessStat(`12 (${name}) ${afterName}`)).toEqual({ state: "S", startTime: 987_654 });
    }
  });

  test("is nothing for what is not whole", () => {
    expect(parseProcessStat("")).toBeUndefined();
    expect(parseProcessStat("12 (sh) S 1 2")).toBeUndefined();
  });
});

test("a record names a process only if it is whole", () => {
  expect(parseIdentity("contract 1.0\npid 5\nstart 77\nboot x\n   \n")).toEqual({
    pid: 5,
    startTime: 77,
    bootId: "x",
  });
  expect(parseIdentity("pid 5\nstart 77\n")).toBeUndefined();
  expect(parseIdentity("pid 0\nstart 77\nboot x\n")).toBeUndefined();
  expect(parseIdentity("")).toBeUndefined();
});

test("this process runs; one with another start time or boot does not", () => {
  const startTime = readProcessStat(process.pid)?.startTime ?? -1;
  const self = { pid: process.pid, startTime, bootId: currentBootId() };
  expect(isRunning(self)).toBe(process.platform === "linux");
  expect(isRunning({ ...self, startTime: startTime + 1 })).toBe(false);
  expect(isRunning({ ...self, bootId: "another" })).toBe(false);
  expect(isRunning({ ...self, bootId: "" })).toBe(false);
});
