import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockDirectory, openLockDirectory } from "./lock-directory.ts";

function newDirectory(): string {
  return mkdtempSync(join(homedir(), "d-"));
}

test("HOLDFAST_LOCK_DIR, else XDG_STATE_HOME, else ~/.local/state", () => {
  const all = { HOLDFAST_LOCK_DIR: "/locks", XDG_STATE_HOME: "/state", HOME: "/me" };
  expect(lockDirectory(all)).toBe("/locks");
  expect(lockDirectory({ ...all, HOLDFAST_LOCK_DIR: "" })).toBe("/state/holdfast/locks");
  expect(lockDirectory({ HOME: "/me" })).toBe("/me/.local/state/holdfast/locks");
  expect(lockDirectory({ XDG_STATE_HOME: "state", HOME: "/me" })).toBe("/me/.local/state/holdfast/locks");
  expect(() => lockDirectory({ ...all, HOLDFAST_LOCK_DIR: "locks" })).toThrowError(/no absolute path/);
});

test("it is made for its user alone, and may be reached through a link", async () => {
  const home = newDirectory();
  const directory = join(home, "a/b/locks");
  await openLockDirectory(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  symlinkSync(directory, join(home, "link"));
  await openLockDirectory(join(home, "link"));
});

test("a directory that others may write to, and one that cannot be made, are refused", async () => {
  const home = newDirectory();
  const directory = join(home, "shared");
  mkdirSync(directory);
  for (const mode of [0o777, 0o770, 0o1777]) {
    chmodSync(directory, mode);
    await expect(openLockDirectory(directory)).rejects.toMatchObject({ code: "LOCK_DIRECTORY_UNSAFE" });
  }
  chmodSync(directory, 0o755);
  await openLockDirectory(directory);
  writeFileSync(join(home, "file"), "");
  await expect(openLockDirectory(join(home, "file/locks"))).rejects.toMatchObject({
    code: "SYSTEM_ERROR",
    details: { errno: "ENOTDIR" },
  });
});
