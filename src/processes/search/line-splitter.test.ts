import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter, offsetIn, type FoundLine } from "./line-splitter.ts";

function split(chunks: readonly Buffer[]): FoundLine[] {
  const lines: FoundLine[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  let offset = 0;
  for (const chunk of chunks) {
    splitter.push(chunk, offset, offset);
    offset += chunk.length;
  }
  splitter.end();
  return lines;
}

test("lines and their offsets do not depend on how the bytes were cut", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ab\n]{0,8}$/)), (texts) => {
      const whole = Buffer.from(texts.join(""));
      const cut = split(texts.map((text) => Buffer.from(text)));
      const untimed = ({ offset, bytes }: FoundLine): unknown => ({ offset, bytes });
      expect(cut.map(untimed)).toEqual(split([whole]).map(untimed));
      for (const { offset, bytes } of cut) {
        expect(whole.subarray(offset, offset + bytes.length).equals(bytes)).toBe(true);
      }
    }),
  );
});

test("a line has the time of its first bytes", () => {
  const lines = split(["a", "b\nc\n", "d"].map((text) => Buffer.from(text)));
  expect(lines.map(({ offset, timeUs }) => [offset, timeUs])).toEqual([
    [0, 0],
    [3, 1],
    [5, 5],
  ]);
});

test("a byte of a line has the offset at which it was written, also behind what another stream wrote", () => {
  const lines: FoundLine[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  splitter.push(Buffer.from("x\nab"), 0, 0);
  splitter.push(Buffer.from("cd\n"), 100, 0);
  const [, line] = lines;
  expect(line?.bytes.toString()).toBe("abcd");
  expect([0, 1, 2, 3, 4].map((index) => line && offsetIn(line, index))).toEqual([2, 3, 100, 101, 102]);
});

test("a line without an end is told in pieces of bounded size", () => {
  const lines = split([Buffer.alloc(150_000, "x")]);
  expect(lines.map(({ offset, bytes }) => [offset, bytes.length])).toEqual([
    [0, 65_536],
    [65_536, 65_536],
    [131_072, 18_928],
  ]);
});
