import { expect, test } from "vitest";
import { HitRecorder, segmentBytes } from "./hit-recorder.ts";

const keep = { lines: 2, characters: 10, isRedacted: true };

function found(offset: number, line: string, ...watches: string[]) {
  return { offset, stream: "stdout" as const, line, watches };
}

test("counts all and each segment, also when the offsets go back and forth between two streams", () => {
  const recorder = new HitRecorder(keep);
  for (const offset of [0, 5, segmentBytes + 1, 9, segmentBytes - 1, 5 * segmentBytes])
    recorder.add(found(offset, "x", "a"));
  recorder.add(found(7, "x", "a", "b"));
  expect(recorder.size).toBe(6);
  const [a, b] = recorder.take().hits;
  expect(a).toMatchObject({ watch: "a", count: 7, lastOffset: 5 * segmentBytes });
  expect(a?.segments.toSorted(([one], [other]) => one - other)).toEqual([
    [0, 5],
    [1, 1],
    [5, 1],
  ]);
  expect(b).toMatchObject({ watch: "b", count: 1, segments: [[0, 1]] });
  expect(recorder).toMatchObject({ isEmpty: true, size: 0 });
  expect(recorder.take()).toEqual({ hits: [], lines: [] });
});

test("keeps the first lines, up to so many and so much of them", () => {
  const recorder = new HitRecorder(keep);
  for (const line of ["1234567", "89abcdef", "more"]) recorder.add(found(0, line, "a"));
  expect(recorder.take().lines.map(({ line }) => line)).toEqual(["1234567", "89…"]);
  recorder.add(found(0, "next", "a"));
  expect(recorder.take().lines.map(({ line }) => line)).toEqual(["next"]);
});
