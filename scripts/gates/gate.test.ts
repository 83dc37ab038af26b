import { expect, test } from "vitest";
import { judgeGate } from "./gate.ts";
import { sumClosingLines } from "./keeper-gates.ts";

test("a gate passes at its floor and fails below it, although its tool is content", () => {
  expect(judgeGate({ ok: true, seen: 10, unit: "files" }, 10)).toEqual({ passed: true, failures: 0 });
  expect(judgeGate({ ok: true, seen: 9, unit: "files" }, 10)).toEqual({ passed: false, failures: 1 });
});

test("failed tests are counted, and a failure without any counts as one", () => {
  const tests = { passed: 7, failed: 3 };
  expect(judgeGate({ ok: false, seen: 10, unit: "tests", tests }, 1)).toEqual({ passed: false, failures: 3 });
  expect(judgeGate({ ok: false, seen: 10, unit: "files" }, 1)).toEqual({ passed: false, failures: 1 });
});

test("the closing lines of all C test programs are added up", () => {
  const output =
    "frame: 12 passed, 0 failed\nnoise 3 passed\n5 passed, 1 failed\nall 12 passed, 0 failed, really\n";
  expect(sumClosingLines(output)).toEqual({ passed: 17, failed: 1 });
  expect(sumClosingLines("")).toEqual({ passed: 0, failed: 0 });
});
