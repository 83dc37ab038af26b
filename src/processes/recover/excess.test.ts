import { expect, test } from "vitest";
import { excess } from "./excess.ts";

const limits = { ageMs: 1_000, maxEnded: 3, maxDiskBytes: 10, intervalMs: 1 };

/** Names of those that go; of runs as [name, when it ended, bytes]. */
function going(runs: readonly (readonly [string, number, number])[], livingBytes = 0): string[] {
  const ended = runs.map(([name, endedAt, bytes]) => ({ name, endedAt, bytes }));
  return excess(ended, limits, { nowMs: 2_000, livingBytes }).map(({ name }) => name);
}

test("by disk the oldest go first: never a newer one while an older one stays", () => {
  expect(
    going([
      ["c", 1_500, 1],
      ["b", 1_600, 5],
      ["a", 1_700, 8],
    ]),
  ).toEqual(["c", "b"]);
  expect(
    going([
      ["c", 1_500, 1],
      ["a", 1_700, 8],
      ["newest", 1_800, 30],
    ]),
  ).toEqual(["c", "a", "newest"]);
  expect(
    going([
      ["b", 1_600, 5],
      ["a", 1_700, 5],
    ]),
  ).toEqual([]);
});

test("what lives takes disk too", () => {
  const ended = [
    ["b", 1_600, 3],
    ["a", 1_700, 3],
  ] as const;
  expect(going(ended, 4)).toEqual([]);
  expect(going(ended, 5)).toEqual(["b"]);
  expect(going(ended, 38)).toEqual(["b", "a"]);
});

test("by age and by number", () => {
  expect(
    going([
      ["old", 999, 0],
      ["just", 1_000, 0],
    ]),
  ).toEqual(["old"]);
  expect(
    going([
      ["1", 1_501, 0],
      ["3", 1_503, 0],
      ["2", 1_502, 0],
      ["4", 1_504, 0],
    ]),
  ).toEqual(["1"]);
});
