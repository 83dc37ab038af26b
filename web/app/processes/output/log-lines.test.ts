import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  linesOfPage,
  LogBytes,
  mostLineBytes,
  overhangBytes,
  pageBytes,
  type LogPart,
} from "~/processes/output/log-lines.ts";

const encoder = new TextEncoder();

function partsOf(...texts: readonly (readonly [string, LogPart["stream"]?])[]): LogPart[] {
  let offset = 0;
  return texts.map(([text, stream = "stdout"], index) => {
    const bytes = encoder.encode(text);
    const part = { offset, atMs: index, stream, bytes };
    offset += bytes.length;
    return part;
  });
}

/** The page that begins at an offset, read as a page is: with one byte before it and the overhang behind. */
function page(parts: readonly LogPart[], from: number) {
  const end = parts.reduce((sum, part) => sum + part.bytes.length, 0);
  const whole = new LogBytes(0, parts);
  const first = Math.max(0, from - 1);
  const last = Math.min(end, from + pageBytes + overhangBytes);
  const log = new LogBytes(first, [...whole.runs(first, last)]);
  return linesOfPage(log, { from, to: from + pageBytes, isFirst: from === 0 });
}

test("lines, with the time and stream of their first byte", () => {
  const lines = page(partsOf(["one\ntwo\n"], ["oops\n", "stderr"], ["three"]), 0);
  expect(lines.map(({ text, stream, atMs, offset }) => [text, stream, atMs, offset])).toEqual([
    ["one", "stdout", 0, 0],
    ["two", "stdout", 0, 4],
    ["oops", "stderr", 1, 8],
    ["three", "stdout", 2, 13],
  ]);
});

test("a line that was written in parts is one; another stream in between breaks it", () => {
  expect(page(partsOf(["on"], ["e\ntwo\n"]), 0).map(({ text, atMs }) => [text, atMs])).toEqual([
    ["one", 0],
    ["two", 1],
  ]);
  const broken = page(partsOf(["on"], ["err\n", "stderr"], ["e\n"]), 0);
  expect(broken.map(({ text, stream }) => [text, stream])).toEqual([
    ["on", "stdout"],
    ["err", "stderr"],
    ["e", "stdout"],
  ]);
});

test("a line belongs to the page in which it begins, as long as it does not hang over too far", () => {
  const long = "x".repeat(100);
  const parts = partsOf([`${"a\n".repeat(pageBytes / 2 - 10)}${long}\nnext\n`]);
  expect(page(parts, 0).at(-1)).toMatchObject({ text: long, offset: pageBytes - 20 });
  expect(page(parts, pageBytes).map(({ text }) => text)).toEqual(["next"]);
  const endless = partsOf([`${"b".repeat(pageBytes + overhangBytes + 1)}\nz\n`]);
  expect(page(endless, 0).every(({ text }) => text.length <= mostLineBytes)).toBe(true);
  expect(page(endless, 0).reduce((sum, { text }) => sum + text.length, 0)).toBe(pageBytes);
  const rest = page(endless, pageBytes);
  expect(rest[0]).toMatchObject({ offset: pageBytes });
  expect(rest.at(-1)).toMatchObject({ text: "z" });
});

test("a long line is cut into pieces that split no character and no escape", () => {
  const text = `${"é".repeat(3_000)}\u001b[31m${"ü".repeat(3_000)}`;
  const pieces = page(partsOf([`${text}\n`]), 0);
  expect(pieces.map((line) => line.text).join("")).toBe(text);
  expect(pieces.some((line) => line.text.includes("\ufffd"))).toBe(false);
  const before = "y".repeat(mostLineBytes - 3);
  const cut = page(partsOf([`${before}\u001b[1;31mred\n`]), 0);
  expect(cut.map((line) => line.text)).toEqual([before, "\u001b[1;31mred"]);
});

test("pages read alone give together every byte once, in order, whatever the output is", () => {
  const piece = fc.record({
    text: fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.constant("\n"),
      fc.nat({ max: 30_000 }).map((length) => "w".repeat(length)),
      fc.nat({ max: 3_000 }).map((length) => "line\n".repeat(length)),
    ),
    isError: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 30 }), (pieces) => {
      const parts = partsOf(
        ...pieces.map(({ text, isError }) => [text, isError ? "stderr" : "stdout"] as const),
      );
      const all = pieces.map(({ text }) => text).join("");
      const end = encoder.encode(all).length;
      const lines = Array.from({ length: Math.ceil(end / pageBytes) }, (_, index) =>
        page(parts, index * pageBytes),
      ).flat();
      expect(lines.map(({ text }) => text).join("")).toBe(all.replaceAll("\n", ""));
      const offsets = lines.map(({ offset }) => offset);
      expect(offsets).toEqual([...new Set(offsets)].toSorted((a, b) => a - b));
    }),
    { numRuns: 60 },
  );
});
