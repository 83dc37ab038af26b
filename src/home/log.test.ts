import { describe, expect, test } from "vitest";
import { isAtLeast, parseLogLine, type LogEntry } from "./log-entry.ts";
import { renderLogEntry } from "./log-text.ts";

const time = "2026-01-02T03:04:05.678Z";

function entry(more: Partial<LogEntry> = {}): LogEntry {
  return { level: "info", time, message: "ready", fields: {}, ...more };
}

describe("parseLogLine", () => {
  test("what is not known is a field", () => {
    const line = `{"level":"warn","time":"${time}","pid":7,"verb":"gc","msg":"failed","new":[1]}`;
    expect(parseLogLine(line)).toEqual({
      level: "warn",
      time,
      message: "failed",
      fields: { pid: 7, verb: "gc", new: [1] },
    });
  });

  test("is nothing for what is no whole entry", () => {
    for (const line of ["", '{"level":"warn","ti', "[]", "null", '"text"', "{}", `{"level":"warn"}`])
      expect(parseLogLine(line), line).toBeUndefined();
  });
});

test("levels are ordered", () => {
  expect(isAtLeast("warn", "warn")).toBe(true);
  expect(isAtLeast("fatal", "warn")).toBe(true);
  expect(isAtLeast("info", "warn")).toBe(false);
});

describe("renderLogEntry", () => {
  const plain = { isColoured: false };

  test("time, level, message, fields; the pid is left to JSON", () => {
    const fields = { pid: 7, verb: "process.start", note: "two words", counts: { adopted: 1 } };
    expect(renderLogEntry(entry({ fields }), plain)).toBe(
      `${time} INFO  ready verb=process.start note="two words" counts={"adopted":1}\n`,
    );
  });

  test("the stack of an error and of its cause stand below, indented", () => {
    const err = { stack: "Error: one\n    at a", cause: { message: "two" } };
    expect(renderLogEntry(entry({ level: "error", fields: { err } }), plain)).toBe(
      `${time} ERROR ready\n    Error: one\n        at a\n    caused by two\n`,
    );
  });

  test("what is hostile is shown, not done", () => {
    const hostile = "\u001b[2J\u009bx\ny";
    const text = renderLogEntry(
      {
        level: "info",
        time: hostile,
        message: hostile,
        fields: { [hostile]: hostile, err: { stack: hostile } },
      },
      plain,
    );
    expect([text.includes("\u001b"), text.includes("\u009b")]).toEqual([false, false]);
    expect(text.trimEnd().split("\n")).toHaveLength(3);
  });

  test("colours only when wanted", () => {
    expect(renderLogEntry(entry(), { isColoured: true })).toContain("\u001b[32mINFO ");
  });
});
