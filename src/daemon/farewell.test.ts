import { expect, test } from "vitest";
import { farewellFor, type Cause } from "./farewell.ts";

const request = { restart: false, requestId: "r_1" };
const byPid = 4711;

// Literals on purpose: units of service managers depend on these numbers.
test.for<[Cause, number, string]>([
  [{ kind: "SIGTERM", marker: undefined }, 143, "SIGTERM that nobody announced"],
  [{ kind: "SIGTERM", marker: { kind: "takeover", byPid } }, 0, "replaced by process 4711"],
  [{ kind: "SIGTERM", marker: { kind: "plannedStop", byPid } }, 0, "told to stop by process 4711"],
  [
    { kind: "SIGTERM", marker: { kind: "plannedStop", byPid, restart: true } },
    75,
    "told to restart by process 4711",
  ],
  [{ kind: "SIGINT" }, 0, "SIGINT"],
  [{ kind: "request", request }, 0, "asked to stop by request r_1"],
  [{ kind: "request", request: { ...request, restart: true } }, 75, "asked to restart by request r_1"],
])("%j", ([cause, exitCode, reason]) => {
  expect(farewellFor(cause)).toMatchObject({ exitCode, reason, restart: exitCode === 75 });
});

test("a takeover drains only as long as its replacer says, everything else as configured", () => {
  expect(farewellFor({ kind: "SIGTERM", marker: { kind: "takeover", byPid } }).drainMs).toBe(0);
  expect(farewellFor({ kind: "SIGTERM", marker: { kind: "takeover", byPid, drainMs: 9 } }).drainMs).toBe(9);
  for (const cause of [
    { kind: "SIGTERM", marker: undefined },
    { kind: "SIGTERM", marker: { kind: "plannedStop", byPid } },
    { kind: "SIGINT" },
    { kind: "request", request },
  ] as const)
    expect(farewellFor(cause).drainMs).toBeUndefined();
  expect(farewellFor({ kind: "request", request: { ...request, drainMs: 9 } }).drainMs).toBe(9);
});

test("only a bare signal is not announced", () => {
  const announced = (cause: Cause): boolean => farewellFor(cause).isAnnounced;
  expect(announced({ kind: "SIGTERM", marker: undefined })).toBe(false);
  expect(announced({ kind: "SIGINT" })).toBe(false);
  expect(announced({ kind: "SIGTERM", marker: { kind: "plannedStop", byPid } })).toBe(true);
  expect(announced({ kind: "request", request })).toBe(true);
});
