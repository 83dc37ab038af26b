import { expect, test } from "vitest";
import { HoldfastError, type ErrorCode } from "../protocol/errors.ts";
import { parseDaemonArguments } from "./arguments.ts";
import { exitCodeOfFailure } from "./start-failure.ts";

// Literals on purpose: units of service managers depend on these numbers.
test.for<[ErrorCode, number]>([
  ["DAEMON_RUNNING", 69],
  ["DAEMON_FOREIGN", 69],
  ["DAEMON_DENIED", 69],
  ["DAEMON_UNPROVEN", 69],
  ["DAEMON_STUCK", 69],
  ["CONFIG_INVALID", 78],
  ["STORE_TOO_NEW", 78],
  ["UNSUPPORTED_PLATFORM", 78],
  ["STORE_FULL", 1],
  ["LAUNCHER_UNREACHABLE", 1],
  ["INTERNAL", 1],
])("a start that fails with %s ends with %i", ([code, exitCode]) => {
  expect(exitCodeOfFailure(new HoldfastError(code, "x"))).toBe(exitCode);
});

test("anything else ends with 1", () => {
  expect(exitCodeOfFailure(new Error("ENOTDIR"))).toBe(1);
});

test("the arguments of the program", () => {
  expect(parseDaemonArguments([])).toEqual({
    replace: false,
    drainMs: undefined,
    json: false,
    insecure: false,
  });
  expect(parseDaemonArguments(["--replace", "--drain-ms", "250", "--json", "--insecure"])).toEqual({
    replace: true,
    drainMs: 250,
    json: true,
    insecure: true,
  });
  for (const args of [["--drain-ms", "soon"], ["--drain-ms", "-1"], ["--surplus"], ["word"]])
    expect(() => parseDaemonArguments(args)).toThrow(HoldfastError);
});
