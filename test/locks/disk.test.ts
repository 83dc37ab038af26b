// Locks on a disk that is full or read-only: told, nothing half-done, and what is held can still be given back.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock, listLocks, ownerOf, releaseLock } from "../../src/locks/index.ts";
import { canMount, fillDisk, mountSmallDisk, remount } from "../support/small-disk.ts";

const owner = ownerOf(process.pid);

test.runIf(canMount)("a full disk: nothing new, what is held stays and can be released", async () => {
  const disk = mountSmallDisk("256k");
  const directory = join(disk, "locks");
  const held = { directory, scope: "s", identity: "held", owner };
  await acquireLock({ ...held, meta: { a: "1" } });
  fillDisk(disk);
  const full = { code: "SYSTEM_ERROR", details: { errno: "ENOSPC" } };
  await expect(acquireLock({ ...held, identity: "new" })).rejects.toMatchObject(full);
  await expect(acquireLock({ ...held, meta: { a: "2" } })).rejects.toMatchObject(full);
  expect((await listLocks({ directory })).locks).toMatchObject([{ meta: { a: "1" }, state: "running" }]);
  expect(readdirSync(join(directory, ".pending"))).toEqual([]);
  await releaseLock(held);
  expect((await listLocks({ directory })).locks).toEqual([]);
});

test.runIf(canMount)("a read-only disk: locks can be seen, not taken", async () => {
  const disk = mountSmallDisk("1m");
  const directory = join(disk, "locks");
  const held = { directory, scope: "s", identity: "held", owner };
  await acquireLock(held);
  remount(disk, "ro");
  const readOnly = { code: "SYSTEM_ERROR", details: { errno: "EROFS" } };
  await expect(acquireLock({ ...held, identity: "new" })).rejects.toMatchObject(readOnly);
  await expect(releaseLock(held)).rejects.toMatchObject(readOnly);
  expect((await listLocks({ directory })).locks).toMatchObject([{ state: "running" }]);
});
