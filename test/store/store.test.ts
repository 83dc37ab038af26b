// One database, one owner: transactions, turns, closing, and who may read the files.
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Store } from "../../src/store/index.ts";
import { sampleRecord } from "../support/store-record.ts";
import { newTestHome } from "../support/test-home.ts";
import { newStoreFile, openTestStore } from "../support/test-store.ts";

test("a store remembers across being closed, and leaves one file", async () => {
  const file = newStoreFile();
  const record = sampleRecord();
  const first = await Store.open({ file });
  expect(first).toMatchObject({ origin: "created", access: "read-write", file });
  await first.processes.insert(record);
  await first.close();
  expect(readdirSync(dirname(file))).toEqual(["store.db"]);
  const { store, problems } = await openTestStore(file);
  expect(store.origin).toBe("existing");
  expect(await store.processes.get(record.id)).toEqual(record);
  expect(problems).toEqual([]);
});

test("only the owner may read its files, whatever the umask and whatever they were", async () => {
  const file = newStoreFile();
  const modes = (): string[] =>
    readdirSync(dirname(file)).map((name) => (statSync(join(dirname(file), name)).mode & 0o777).toString(8));
  const before = process.umask(0);
  try {
    const made = new DatabaseSync(file); // somebody's, open to all
    made.close();
    expect(modes()).toEqual(["644"]);
    const { store } = await openTestStore(file);
    await store.processes.insert(sampleRecord());
    expect(modes()).toEqual(["600", "600", "600"]);
    const { store: fresh } = await openTestStore();
    await fresh.processes.insert(sampleRecord());
    expect(statSync(fresh.file).mode & 0o777).toBe(0o600);
    expect(statSync(`${fresh.file}-wal`).mode & 0o777).toBe(0o600);
  } finally {
    process.umask(before);
  }
});

test("a transaction is all or nothing, and nobody sees half of it", async () => {
  const { store } = await openTestStore();
  const record = sampleRecord();
  const seen: Promise<unknown>[] = [];
  const failing = store.transaction(async ({ processes }) => {
    await processes.insert(record);
    expect(await processes.get(record.id)).toEqual(record);
    throw new Error("no");
  });
  seen.push(store.processes.get(record.id));
  await expect(failing).rejects.toThrow("no");
  expect(await Promise.all(seen)).toEqual([undefined]);
  const answer = await store.transaction(async ({ processes, events }) => {
    await processes.insert(record);
    return await events.append({ at: 1, kind: "process.started", processId: record.id });
  });
  expect(answer).toBe(1);
  expect(await store.processes.get(record.id)).toEqual(record);
});

test("many at once get their turn in order", async () => {
  const { store } = await openTestStore();
  const cursors = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      store.transaction(async ({ events }) => {
        await setImmediate();
        return await events.append({ at, kind: "process.changed", processId: null });
      }),
    ),
  );
  expect(cursors).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
});

test("the store is refused inside a transaction, where it would wait for ever", async () => {
  const { store } = await openTestStore();
  const { processes } = store;
  let later: Promise<unknown> = Promise.resolve();
  await store.transaction(async (trx) => {
    await expect(processes.list()).rejects.toMatchObject({ code: "INTERNAL" });
    await expect(store.transaction(async () => 1)).rejects.toMatchObject({ code: "INTERNAL" });
    await trx.processes.insert(sampleRecord());
    // Begun inside and asked afterwards: the transaction is over by then.
    const { promise, resolve } = Promise.withResolvers<void>();
    later = promise.then(() => processes.list());
    setImmediate().then(resolve, resolve);
  });
  expect(await later).toHaveLength(1);
});

test("close waits for what was asked, and refuses what comes after", async () => {
  const { store } = await openTestStore();
  const record = sampleRecord();
  const asked = store.transaction(async ({ processes }) => {
    await setImmediate();
    await processes.insert(record);
    return "done";
  });
  const check = store.checkIntegrity();
  const closing = store.close();
  expect(await asked).toBe("done");
  expect(await check).toEqual([]);
  await closing;
  await store.close();
  await expect(store.processes.get(record.id)).rejects.toMatchObject({ code: "STORE_CLOSED" });
  await expect(store.transaction(async () => 1)).rejects.toMatchObject({ code: "STORE_CLOSED" });
});

test("a lock that somebody else holds is told as busy, nothing is lost", async () => {
  const { store } = await openTestStore();
  using other = new DatabaseSync(store.file);
  other.exec("begin immediate");
  const record = sampleRecord();
  await expect(store.processes.insert(record)).rejects.toMatchObject({ code: "STORE_BUSY", retryable: true });
  await expect(store.transaction(async () => 1)).rejects.toMatchObject({ code: "STORE_BUSY" });
  expect(await store.processes.list()).toEqual([]);
  other.exec("rollback");
  await store.processes.insert(record);
  expect(await store.processes.list()).toEqual([record]);
});

test("a path that cannot hold a store is told as such", async () => {
  const home = newTestHome();
  mkdirSync(join(home, "store.db"));
  await expect(Store.open({ file: join(home, "store.db") })).rejects.toMatchObject({ code: "STORE_FAILED" });
  await expect(Store.open({ file: join(home, "no/store.db") })).rejects.toMatchObject({
    code: "STORE_FAILED",
  });
});

test("a path with every awkward character works", async () => {
  const folder = join(newTestHome(), "a b?c#d%20é'&=");
  mkdirSync(folder);
  const file = join(folder, "store.db");
  const first = await Store.open({ file });
  await first.processes.insert(sampleRecord());
  await first.close();
  const { store } = await openTestStore(file);
  expect(await store.processes.list()).toHaveLength(1);
  expect(await store.checkIntegrity()).toEqual([]);
});
