import { expect, test } from "vitest";
import { classifyRuns, parseScan } from "./scan.ts";

test("a scan names every run once, and puts it where it belongs", () => {
  const runs = parseScan(
    "a live\nb ended\nc unkept\nd earlier-boot\ne abandoned\nf fenced\ng damaged\nh live\n",
  );
  expect(runs.get("c")).toBe("unkept");
  expect(classifyRuns(runs)).toEqual({
    live: ["a", "h"],
    ended: ["b"],
    unkept: ["c"],
    earlierBoot: ["d"],
    hidden: ["e", "f", "g"],
  });
  expect(parseScan("").size).toBe(0);
});

test("a line that cannot be read is an error, not one run less", () => {
  const mismatch = expect.objectContaining({ code: "CONTRACT_MISMATCH" }) as Error;
  expect(() => parseScan("a asleep\n")).toThrow(mismatch);
  expect(() => parseScan("a\n")).toThrow(mismatch);
});
