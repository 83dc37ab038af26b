import * as fc from "fast-check";
import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test.each([
  ["plain text stays", "hello\nworld\n", "hello\nworld\n"],
  ["colours go", "\u001b[1;31mred\u001b[0m text", "red text"],
  ["a title ended by a bell goes", "\u001b]0;title\u0007after", "after"],
  ["a link ended by ST goes, its text stays", "\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
  ["a redrawn line is told as it ended", "10%\r50%\r100%\n", "100%\n"],
  ["a shorter redraw leaves the rest, as a terminal does", "abcdef\rxyz\n", "xyzdef\n"],
  ["erase to the right after a return", "abcdef\r\u001b[Kxyz\n", "xyz\n"],
  ["erase the whole line", "abcdef\u001b[2K\rxy\n", "xy\n"],
  ["backspaces draw over", "abc\b\bX\n", "aXc\n"],
  ["line ends of Windows are line ends", "one\r\ntwo\r\n", "one\ntwo\n"],
  ["tabs stay, other controls go", "a\tb\u0000\u0001c", "a\tbc"],
  ["an 8-bit CSI goes", "\u009b31mred", "red"],
  ["an unfinished string at the end goes", "text\u001b]0;half a tit", "text"],
  ["a charset switch goes", "\u001b(Bword", "word"],
])("%s", (_title, input, expected) => {
  expect(plainText(input)).toBe(expected);
});

test("no escape and no control character but tab and newline is ever left", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "\u001b[31m",
      "\u001b]0;t\u0007",
      "\r",
      "\b",
      "\u001b",
      "\u009b",
      "\u0000",
      "\n",
      "\u001b[2K",
      "\u001bP1$r\u001b\\",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      // eslint-disable-next-line no-control-regex -- control characters are what this is about
      expect(plainText(pieces.join(""))).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }),
  );
});

test("a line of a megabyte with a hundred thousand returns takes linear time", () => {
  const text = "0123456789\r".repeat(100_000);
  expect(plainText(text)).toBe("0123456789");
});

test("a spinner that goes back to the first column leaves nothing behind", () => {
  expect(plainText("|\u001b[1G\u001b[0K\\\u001b[G\u001b[0Kdone\n")).toBe("done\n");
});
