// A keeper that is not the one of this checkout: the same program under another build hash, as a later release would be.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testDirectory } from "./test-home.ts";

export const nextBuildHash = "0123456789abcdef";

/** A copy of the binary that says and records another hash. */
export function makeNextBuild(binary: string): string {
  const [, , hash = ""] = execFileSync(binary, ["version"], { encoding: "utf8" }).trim().split(" ");
  const content = readFileSync(binary, "latin1");
  if (!/^[0-9a-f]{16}$/.test(hash) || !content.includes(hash)) throw new Error(`no build hash in ${binary}`);
  // A folder of its own: a program that still runs somewhere cannot be written over.
  const path = join(mkdtempSync(join(testDirectory(), "next-")), "keeper");
  writeFileSync(path, content.replaceAll(hash, nextBuildHash), { encoding: "latin1", mode: 0o700 });
  return path;
}
