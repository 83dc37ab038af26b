import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitText } from "./hidden-text.ts";

test.for([
  ["a\u001b[1;31mb\u001b[0mc", "abc", ["\u001b[1;31m", "\u001b[0m"]],
  ["a\u009b1mb\u001b(Bc\u001b7d", "abcd", ["\u009b1m", "\u001b(B", "\u001b7"]],
  [
    "a\u001b]0;t\u0007b\u001b]8;;u\u001b\\c\u001bPq\u001b\\d",
    "abcd",
    ["\u001b]0;t\u0007", "\u001b]8;;u\u001b\\", "\u001bPq\u001b\\"],
  ],
  ["a \rb\rc\r\nd", "abc\r\nd", [" \r", "\r"]],
  ["a\u200bb\u00adc\u0008d\0e\tf", "abcd\0e\tf", ["\u200b", "\u00ad", "\u0008"]],
  ["a\u001b]0;t\u001b[1mb", "a]0;tb", ["\u001b", "\u001b[1m"]],
  ["a\u001b\nb", "a\nb", ["\u001b"]],
] as const)("%j", ([text, visible, hidden]) => {
  const split = splitText(text, 0, 0);
  expect(split.visible).toBe(visible);
  expect(split.hidden.map(({ from, to }) => text.slice(from, to))).toEqual(hidden);
  expect(split.rest).toBe("");
});

test.for(["\u001b", "\u001b[", "\u001b[1;3", "\u001b(", "\u001b]0;title", "\u001b]0;title\u001b", "\u009b1"])(
  "%j may go on",
  (sequence) => {
    expect(splitText(`ab${sequence}`, 0, 0)).toMatchObject({ visible: "ab", hidden: [], rest: sequence });
  },
);

test("a title that is too long is text after all", () => {
  const text = `\u001b]0;${"x".repeat(10_000)}\u0007`;
  expect(splitText(text, 0, 0).visible).toBe(text.slice(1, -1));
});

test("visible and hidden parts together are the text, in their order", () => {
  const part = fc.constantFrom(
    "a",
    "é",
    "😀",
    " ",
    "\r",
    "\n",
    "\u001b",
    "[",
    "1",
    "m",
    "]",
    "\u0007",
    "\\",
    "\u200b",
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join("");
      const { visible, hidden, rest } = splitText(text, 0, 0);
      let again = "";
      let at = 0;
      for (const one of hidden) {
        again += visible.slice(at, one.at) + text.slice(one.from, one.to);
        at = one.at;
      }
      expect(again + visible.slice(at) + rest).toBe(text);
    }),
  );
});
