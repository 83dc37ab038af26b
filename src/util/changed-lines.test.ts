import { expect, test } from "vitest";
import { changedLines } from "./changed-lines.ts";

test("lines that look different, that came and that went are told by their number", () => {
  expect(changedLines(["a", "b", "c"], ["a", "x", "c"])).toEqual([2]);
  expect(changedLines(["a"], ["a", "b"])).toEqual([2]);
  expect(changedLines(["a", "b"], ["a"])).toEqual([2]);
  expect(changedLines([], [])).toEqual([]);
});
