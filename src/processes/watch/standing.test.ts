import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addGaps, readStanding } from "./standing.ts";

test("gaps that touch become one; the rest stays apart, in order", () => {
  expect(
    addGaps(
      [{ from: 10, to: 20 }],
      [
        { from: 20, to: 30 },
        { from: 50, to: 60 },
        { from: 1, to: 2 },
      ],
    ),
  ).toEqual([
    { from: 1, to: 2 },
    { from: 10, to: 30 },
    { from: 50, to: 60 },
  ]);
});

test("however many there are, the list is short and covers every one of them", () => {
  const gap = fc.tuple(fc.nat({ max: 1_000_000 }), fc.nat({ max: 500 })).map(([from, length]) => {
    return { from, to: from + length + 1 };
  });
  fc.assert(
    fc.property(fc.array(gap, { minLength: 150, maxLength: 400 }), (gaps) => {
      const merged = gaps.reduce<readonly { from: number; to: number }[]>(
        (sum, one) => addGaps(sum, [one]),
        [],
      );
      expect(merged.length).toBeLessThanOrEqual(100);
      for (const { from, to } of gaps) {
        expect(merged.some((one) => one.from <= from && to <= one.to)).toBe(true);
      }
      for (const [index, one] of merged.entries())
        expect(one.from).toBeGreaterThan(merged[index - 1]?.to ?? -1);
    }),
    { numRuns: 20 },
  );
});

test("an empty standing is one of a process that was never looked at", () => {
  expect(readStanding("{}")).toEqual(readStanding(undefined));
  expect(readStanding("{}")).toMatchObject({ scan: null, catchUps: [], push: { pushes: 0, isOff: false } });
});
