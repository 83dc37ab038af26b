// On a full disk writes fail with a clear error and change nothing, reads go on, and so do writes once there is room.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Store } from "../../src/store/index.ts";
import { canMount, fillDisk, mountSmallDisk, remount } from "../support/small-disk.ts";
import { sampleRecord } from "../support/store-record.ts";
import { openTestStore } from "../support/test-store.ts";

const full = { code: "STORE_FULL", retryable: true };

test.skipIf(!canMount)("an open store goes on reading, and writes again when there is room", async () => {
  const disk = mountSmallDisk("2m");
  const { store, problems } = await openTestStore(join(disk, "store.db"));
  const before = sampleRecord({ name: "before" });
  await store.processes.insert(before);
  fillDisk(disk);
  const inserted: string[] = [];
  // The last pages of the log may take a few more rows.
  const insertMany = async (): Promise<void> => {
    for (let count = 0; count < 1_000; count++) {
      const record = sampleRecord();
      await store.transaction(async ({ processes, events }) => {
        await processes.insert(record);
        await events.append({ at: 1, kind: "process.started", processId: record.id });
      });
      inserted.push(record.id);
    }
  };
  await expect(insertMany()).rejects.toMatchObject(full);
  await expect(store.processes.update(before.id, { command: "x".repeat(100_000) })).rejects.toMatchObject(
    full,
  );
  expect(await store.processes.liveByName("before")).toEqual(before);
  expect(await store.processes.list()).toHaveLength(inserted.length + 1);
  expect(await store.events.last()).toBe(inserted.length);
  expect(await store.checkIntegrity()).toEqual([]);
  remount(disk, "size=64m");
  await store.processes.insert(sampleRecord());
  expect(await store.processes.list()).toHaveLength(inserted.length + 2);
  expect(problems).toEqual([]);
});

test.skipIf(!canMount)("a store that is opened on a full disk can be read", async () => {
  const disk = mountSmallDisk("2m");
  const file = join(disk, "store.db");
  const record = sampleRecord();
  const first = await Store.open({ file });
  await first.processes.insert(record);
  await first.close();
  fillDisk(disk);
  const { store, problems } = await openTestStore(file);
  expect(store).toMatchObject({ origin: "existing", access: "read-only" });
  expect(problems).toMatchObject([{ code: "STORE_FULL", details: { isStale: false } }]);
  expect(await store.processes.list()).toEqual([record]);
  await expect(store.processes.insert(sampleRecord())).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
  expect(await store.becomeWritable()).toBeUndefined();
  for (const name of readdirSync(disk)) if (name.startsWith("filler-")) rmSync(join(disk, name));
  const { store: again } = await openTestStore(file);
  expect(again.access).toBe("read-write");
  await again.processes.insert(sampleRecord());
});

test.skipIf(!canMount)(
  "a store that was opened on a full disk is written when there is room, by all who have it",
  async () => {
    const disk = mountSmallDisk("4m");
    const file = join(disk, "store.db");
    const record = sampleRecord();
    const first = await Store.open({ file });
    await first.processes.insert(record);
    await first.close();
    fillDisk(disk);
    const { store } = await openTestStore(file);
    const { processes, events } = store;
    expect(await processes.list()).toEqual([record]);
    remount(disk, "size=64m");
    const reads = Promise.all(Array.from({ length: 20 }, () => processes.list()));
    expect(await store.becomeWritable()).toEqual([record]);
    expect(await reads).toEqual(Array.from({ length: 20 }, () => [record]));
    expect(store.access).toBe("read-write");
    const second = sampleRecord();
    await store.insertProcess(second);
    await store.changeProcess(
      second.id,
      { pid: 7 },
      { at: 1, kind: "process.changed", processId: second.id },
    );
    expect(await events.last()).toBe(1);
    expect(await processes.get(second.id)).toMatchObject({ pid: 7 });
    expect(await store.checkIntegrity()).toEqual([]);
    await store.close();
    const { store: again } = await openTestStore(file);
    expect(await again.processes.list()).toHaveLength(2);
  },
);

test.skipIf(!canMount)("a store cannot begin on a full disk, and begins when there is room", async () => {
  const disk = mountSmallDisk("1m");
  fillDisk(disk);
  const file = join(disk, "store.db");
  await expect(Store.open({ file })).rejects.toMatchObject(full);
  remount(disk, "size=8m");
  const { store, problems } = await openTestStore(file);
  expect(store.origin).toBe("created");
  expect(problems).toEqual([]);
  await store.processes.insert(sampleRecord());
  expect(existsSync(`${file}-wal`)).toBe(true);
});
