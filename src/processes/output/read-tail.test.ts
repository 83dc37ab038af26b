import { mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTail } from "./read-tail.ts";

function newRun(segments: readonly (readonly [offset: number, data: string])[]): string {
  const directory = mkdtempSync(join(homedir(), "run-"));
  for (const [offset, data] of segments)
    writeFileSync(join(directory, `${String(offset).padStart(16, "0")}.log`), data);
  return directory;
}

async function tail(directory: string, mostBytes: number): Promise<readonly [string, number, number]> {
  const { bytes, from, end } = await readTail(directory, mostBytes);
  return [bytes.toString(), from, end];
}

test("the last bytes, from as many files as they lie in", async () => {
  const run = newRun([
    [0, "abcd"],
    [4, "efg"],
    [7, "hi"],
  ]);
  expect(await tail(run, 1)).toEqual(["i", 8, 9]);
  expect(await tail(run, 2)).toEqual(["hi", 7, 9]);
  expect(await tail(run, 6)).toEqual(["defghi", 3, 9]);
  expect(await tail(run, 99)).toEqual(["abcdefghi", 0, 9]);
});

test("never across what was dropped, and through a file that has just begun", async () => {
  const run = newRun([
    [0, "abcd"],
    [10, "klm"],
    [13, ""],
  ]);
  expect(await tail(run, 2)).toEqual(["lm", 11, 13]);
  expect(await tail(run, 99)).toEqual(["klm", 10, 13]);
});

test("of no output there is none, and of no run neither", async () => {
  expect(await tail(newRun([]), 9)).toEqual(["", 0, 0]);
  await expect(readTail(join(homedir(), "none"), 9)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
});
