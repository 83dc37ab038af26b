import { expect, test } from "vitest";
import { changedLines, Looks } from "./looks.ts";
import type { Look } from "./thread/messages.ts";

function look(...lines: string[]): Look {
  return {
    lines,
    columns: 80,
    rows: 24,
    cursor: { line: 1, column: 1, isVisible: true },
    isAlternate: false,
    modes: { bracketedPaste: false, applicationCursor: false, mouse: "none" },
    title: "",
    offset: 0,
    missing: undefined,
  };
}

test("lines that look different, that came and that went are told by their number", () => {
  expect(changedLines(["a", "b", "c"], ["a", "x", "c"])).toEqual([2]);
  expect(changedLines(["a"], ["a", "b"])).toEqual([2]);
  expect(changedLines(["a", "b"], ["a"])).toEqual([2]);
  expect(changedLines([], [])).toEqual([]);
});

test("a look names what it saw, and the next one tells what differs", () => {
  const looks = new Looks();
  const first = looks.see("p_1", look("a", "b"), undefined);
  expect(first.changedLines).toBeUndefined();
  expect(looks.see("p_1", look("a", "c"), first.version).changedLines).toEqual([2]);
  expect(looks.see("p_1", look("a", "b"), first.version)).toMatchObject({
    version: first.version,
    changedLines: [],
  });
  expect(looks.see("p_2", look("a"), first.version).changedLines).toBeUndefined();
  looks.forget("p_1");
  expect(looks.see("p_1", look("a"), first.version).changedLines).toBeUndefined();
});
