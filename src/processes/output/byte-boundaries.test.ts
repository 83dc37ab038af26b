import { expect, test } from "vitest";
import { BoundaryTracker } from "./byte-boundaries.ts";

function boundariesOf(text: string): number[] {
  const tracker = new BoundaryTracker();
  return [...Buffer.from(text).entries()].flatMap(([index, byte]) => {
    tracker.push(byte);
    return tracker.isBoundary ? [index + 1] : [];
  });
}

test("an unfinished string does not hold a reader for ever", () => {
  const tracker = new BoundaryTracker();
  for (const byte of Buffer.from(`\u001b]0;${"x".repeat(8_192)}`)) tracker.push(byte);
  expect(tracker.isBoundary).toBe(true);
});

test("an escape that was alone does not split the one behind it", () => {
  expect(boundariesOf("\u001b\u001b[31m")).toEqual([6]);
  expect(boundariesOf("\u001b(\u001b[31m")).toEqual([7]);
});
