import { homedir } from "node:os";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { expandHome, isWithin, outermost } from "./confined-places.ts";

test("within is by whole names", () => {
  expect(isWithin("/a/b", "/a")).toBe(true);
  expect(isWithin("/a", "/a")).toBe(true);
  expect(isWithin("/ab", "/a")).toBe(false);
  expect(isWithin("/a", "/a/b")).toBe(false);
  expect(isWithin("/a", "/")).toBe(true);
});

test("a tilde is the home directory, and detours are taken out", () => {
  expect(expandHome("~")).toBe(homedir());
  expect(expandHome("~/x/../y")).toBe(`${homedir()}/y`);
  expect(expandHome("/a//b/./c/")).toBe("/a/b/c");
});

test("of nested paths the outermost is left, and everything stays covered", () => {
  expect(outermost(["/a/b", "/a", "/ab", "/a", "/c/d"])).toEqual(["/a", "/ab", "/c/d"]);
  const path = fc
    .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 })
    .map((names) => `/${names.join("/")}`);
  fc.assert(
    fc.property(fc.array(path), (paths) => {
      const left = outermost(paths);
      for (const each of paths) expect(left.filter((outer) => isWithin(each, outer))).toHaveLength(1);
    }),
  );
});
