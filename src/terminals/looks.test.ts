import { expect, test } from "vitest";
import { Looks, type ToldScreen } from "./looks.ts";

function look(...lines: string[]): ToldScreen {
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
