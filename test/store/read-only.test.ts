// In a home that cannot be written the store can still be read.
import { copyFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Store } from "../../src/store/index.ts";
import { canMount, mountSmallDisk, remount } from "../support/small-disk.ts";
import { sampleRecord } from "../support/store-record.ts";
import { openTestStore } from "../support/test-store.ts";

const readOnly = { code: "STORE_READ_ONLY", retryable: false };

async function expectReadable(file: string, count: number): Promise<void> {
  const { store, problems } = await openTestStore(file);
  expect(store).toMatchObject({ origin: "existing", access: "read-only" });
  expect(problems).toMatchObject([{ ...readOnly, details: { file, isStale: false } }]);
  expect(await store.processes.list()).toHaveLength(count);
  expect(await store.processes.countByState()).toMatchObject({ running: count });
  expect(await store.events.last()).toBe(0);
  expect(await store.checkIntegrity()).toEqual([]);
  await expect(store.processes.insert(sampleRecord())).rejects.toMatchObject(readOnly);
  const both = store.transaction(async ({ processes, events }) => {
    expect(await processes.list()).toHaveLength(count);
    await events.append({ at: 1, kind: "process.changed", processId: null });
  });
  await expect(both).rejects.toMatchObject(readOnly);
  expect(await store.processes.list()).toHaveLength(count);
  await store.close();
}

test.skipIf(!canMount)("a store that was closed", async () => {
  const disk = mountSmallDisk("4m");
  const file = join(disk, "store.db");
  const first = await Store.open({ file });
  await first.processes.insert(sampleRecord());
  await first.close();
  remount(disk, "ro");
  await expectReadable(file, 1);
  remount(disk, "rw");
  const { store, problems } = await openTestStore(file);
  expect(store.access).toBe("read-write");
  await store.processes.insert(sampleRecord());
  expect(problems).toEqual([]);
});

/** A store as a kill leaves it, with its newest row only in the log. */
async function leaveKilledStore(disk: string): Promise<string> {
  const { store } = await openTestStore();
  await store.close();
  const again = await Store.open({ file: store.file });
  await again.processes.insert(sampleRecord());
  const file = join(disk, "store.db");
  for (const suffix of ["", "-wal", "-shm"]) copyFileSync(store.file + suffix, file + suffix);
  await again.close();
  return file;
}

test.skipIf(!canMount)("a store whose writer was killed, with what only its log has", async () => {
  const disk = mountSmallDisk("4m");
  const file = await leaveKilledStore(disk);
  const before = readdirSync(disk);
  remount(disk, "ro");
  await expectReadable(file, 1);
  expect(readdirSync(disk)).toEqual(before);
});

test.skipIf(!canMount)("a log that cannot be read is told", async () => {
  const disk = mountSmallDisk("4m");
  const file = await leaveKilledStore(disk);
  rmSync(`${file}-shm`);
  remount(disk, "ro");
  const { store, problems } = await openTestStore(file);
  expect(problems).toMatchObject([{ ...readOnly, details: { isStale: true } }]);
  expect(problems[0]?.message).toContain("-wal");
  expect(await store.processes.list()).toEqual([]);
});

test.skipIf(!canMount)("no store, and a damaged one that cannot be set aside", async () => {
  const disk = mountSmallDisk("4m");
  const file = join(disk, "store.db");
  remount(disk, "ro");
  await expect(Store.open({ file })).rejects.toMatchObject(readOnly);
  remount(disk, "rw");
  writeFileSync(file, "garbage".repeat(1000));
  remount(disk, "ro");
  await expect(Store.open({ file })).rejects.toMatchObject({ code: "STORE_CORRUPT", details: { file } });
  expect(readdirSync(disk)).toEqual(["store.db"]);
});
