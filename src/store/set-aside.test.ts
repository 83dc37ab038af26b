import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { setAside } from "./set-aside.ts";

test("everything of a store moves to one new name, and never over an older one", () => {
  const directory = mkdtempSync(join(homedir(), "aside-"));
  const file = join(directory, "store.db");
  const now = new Date("2026-01-02T03:04:05.678Z");
  const names: string[] = [];
  for (const round of ["first", "second", "third"]) {
    for (const suffix of ["", "-wal", "-shm"]) writeFileSync(file + suffix, round + suffix);
    names.push(setAside(file, now));
    expect(readFileSync(`${names.at(-1)}-wal`, "utf8")).toBe(`${round}-wal`);
  }
  const name = `${file}.corrupt-20260102T030405.678Z`;
  expect(names).toEqual([name, `${name}-2`, `${name}-3`]);
  expect(readdirSync(directory)).toHaveLength(9);
});
