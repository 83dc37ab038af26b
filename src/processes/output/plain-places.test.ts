import * as fc from "fast-check";
import { expect, test } from "vitest";
import { placeOf, placesOf } from "./plain-places.ts";
import { plainText } from "./plain-text.ts";

test.each([
  ["plain text", "one two", "two", "two"],
  ["colours before it", "\u001b[1;31mred\u001b[0m two", "two", "two"],
  ["a title before it", "\u001b]0;two\u0007two", "two", "two"],
  ["wide characters before it", "日本😀\u001b[32mtwo", "two", "two"],
  ["drawn over: where it was written last", "two 10%\rtwo 99%", "two 9", "two 99%"],
  ["a backspace", "abx\bc end", "c end", "c end"],
  ["a cleared line", "two\u001b[2K\rthree", "three", "three"],
  ["colours inside it", "tw\u001b[1mo", "two", "tw\u001b[1mo"],
])("%s", (_title, line, wanted, written) => {
  expect(placeOf(line, plainText(line).indexOf(wanted))).toBe(line.lastIndexOf(written));
});

test("behind the last character is the end of the line", () => {
  expect(placeOf("ab\u001b[0m", 2)).toBe(6);
  expect(placeOf("", 0)).toBe(0);
});

test("it is the same text, whatever a program writes", () => {
  const pieces = [
    ...Array.from("ab é日😀\t\r\b\0"),
    "\u001b[31m",
    "\u001b]0;t\u0007",
    "\u001b[K",
    "\u001b[2K",
    "\u001b[1K",
    "\u001b[G",
    "\u001b",
    "\u009b",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
      const line = parts.join("");
      const drawn = placesOf(line);
      expect(
        drawn
          .map(({ text }) => text)
          .join("")
          .trimEnd(),
      ).toBe(plainText(line).trimEnd());
      // A blank may stand for what was erased.
      const wrong = drawn.filter(({ text, at }) => text !== " " && !line.startsWith(text, at));
      expect(wrong).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
