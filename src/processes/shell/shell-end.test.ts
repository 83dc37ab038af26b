import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseShellEnd } from "./shell-end.ts";

const whole = Buffer.from("/a\nb\n\0A=1\0B=x\ny=z\0EMPTY=\0end\0");

test("directory and variables, with any byte but zero in them", () => {
  expect(parseShellEnd(whole)).toEqual({
    cwd: "/a\nb",
    variables: new Map([
      ["A", "1"],
      ["B", "x\ny=z"],
      ["EMPTY", ""],
    ]),
  });
  expect(parseShellEnd(Buffer.from("/\xff\n\0end\0", "latin1"))).toEqual({
    cwd: undefined,
    variables: new Map(),
  });
});

test("cut off anywhere it counts as nothing", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length - 1 }), (length) => {
      expect(parseShellEnd(whole.subarray(0, length))).toBeUndefined();
    }),
  );
});

test("variables that were too many to tell", () => {
  expect(parseShellEnd(Buffer.from("/x\n\0too large\0"))).toEqual({ cwd: "/x", variables: undefined });
});
