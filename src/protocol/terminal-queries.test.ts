import { expect, test } from "vitest";
import { isAnsweredQuery, isAnsweredString } from "./terminal-queries.ts";

function facts(prefix: string, parameter: number, intermediates: string, final: string) {
  const code = (text: string): number => (text === "" ? 0 : text.charCodeAt(0));
  return {
    prefix: code(prefix),
    firstParameter: parameter,
    intermediates: code(intermediates),
    final: code(final),
  };
}

test.each([
  ["DA1", facts("", 0, "", "c"), true],
  ["DA1 with a parameter that asks for nothing", facts("", 1, "", "c"), false],
  ["DA2", facts(">", 0, "", "c"), true],
  ["DA3, which nobody answers", facts("=", 0, "", "c"), false],
  ["the status", facts("", 5, "", "n"), true],
  ["the cursor", facts("", 6, "", "n"), true],
  ["the cursor, with its page", facts("?", 6, "", "n"), true],
  ["the printer", facts("?", 15, "", "n"), false],
  ["a private mode", facts("?", 2026, "$", "p"), true],
  ["a mode", facts("", 4, "$", "p"), true],
  ["a soft reset", facts("", 0, "!", "p"), false],
  ["a colour", facts("", 31, "", "m"), false],
])("%s", (_name, sequence, isAnswered) => {
  expect(isAnsweredQuery(sequence)).toBe(isAnswered);
});

test("of the device strings only the one that asks for a setting", () => {
  expect(isAnsweredString("\u001bP$qm")).toBe(true);
  expect(isAnsweredString("\u00c2\u0090$qr")).toBe(true);
  expect(isAnsweredString("\u001bP+q544e")).toBe(false);
  expect(isAnsweredString("\u001bPq#0")).toBe(false);
});
