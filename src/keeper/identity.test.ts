import { expect, test } from "vitest";
import { parseIdentity } from "./identity.ts";

test("a record names a process only if it is whole", () => {
  expect(parseIdentity("contract 1.0\npid 5\nstart 77\nboot x\n   \n")).toEqual({
    pid: 5,
    startTime: 77,
    bootId: "x",
  });
  expect(parseIdentity("pid 5\nstart 77\n")).toBeUndefined();
  expect(parseIdentity("pid 0\nstart 77\nboot x\n")).toBeUndefined();
  expect(parseIdentity("")).toBeUndefined();
});
