import { expect, test } from "vitest";
import { safeJson, safeText } from "./safe-text.ts";

test("no control character, and no mark that changes how a line reads, is left in a text", () => {
  expect(safeText("a\u001b]0;title\u0007b\n\u009b2J \u202etxt")).toBe(
    "a\\e]0;title\\x07b\\n\\x9b2J \\u202etxt",
  );
  expect(safeText("grün 日本 🎉")).toBe("grün 日本 🎉");
});

test("in JSON they become escapes of the same value", () => {
  const value = { text: "a\u009b2J\u202eb\u007f日本" };
  const json = safeJson(JSON.stringify(value));
  expect(json).toBe('{"text":"a\\u009b2J\\u202eb\\u007f日本"}');
  expect(JSON.parse(json)).toEqual(value);
});
