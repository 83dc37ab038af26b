import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPackageFile } from "./package-file.ts";

function newDirectory(): string {
  return mkdtempSync(join(homedir(), "d-"));
}

test("the nearest file above is found, and none is none", () => {
  const root = newDirectory();
  const inner = join(root, "a/b");
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(root, "wanted"), "");
  expect(findPackageFile("wanted", inner)).toBe(join(root, "wanted"));
  writeFileSync(join(root, "a/wanted"), "");
  expect(findPackageFile("wanted", inner)).toBe(join(root, "a/wanted"));
  expect(findPackageFile("no-such-file-anywhere", inner)).toBeUndefined();
});
