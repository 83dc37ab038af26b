import { userInfo } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resolveHome } from "./home.ts";

const realHome = join(userInfo().homedir, ".holdfast");

describe("resolveHome", () => {
  test("takes HOLDFAST_HOME first and makes it absolute", () => {
    expect(resolveHome({ HOLDFAST_HOME: "/srv/a", HOME: "/home/b" })).toBe("/srv/a");
    expect(resolveHome({ HOLDFAST_HOME: "relative" })).toBe(join(process.cwd(), "relative"));
  });

  test("falls back to ~/.holdfast, also when HOLDFAST_HOME is empty", () => {
    expect(resolveHome({ HOME: "/home/b" })).toBe("/home/b/.holdfast");
    expect(resolveHome({ HOLDFAST_HOME: "", HOME: "/home/b" })).toBe("/home/b/.holdfast");
  });

  test("refuses the real home in a test, however it is named", () => {
    const refusal = expect.objectContaining({ code: "REAL_HOME_IN_TEST" }) as Error;
    expect(() => resolveHome({ HOLDFAST_HOME: realHome })).toThrow(refusal);
    expect(() => resolveHome({ HOLDFAST_HOME: `${realHome}/../.holdfast/` })).toThrow(refusal);
    expect(() => resolveHome({ HOME: userInfo().homedir })).toThrow(refusal);
  });

  test("finds the home of this test file when nothing is asked", () => {
    expect(resolveHome()).toBe(join(process.env["HOME"] ?? "", ".holdfast"));
    expect(resolveHome()).not.toBe(realHome);
  });
});
