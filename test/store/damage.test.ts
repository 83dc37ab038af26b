// A damaged store is set aside whole and told; a fresh one takes its place, and nothing is deleted.
import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { Store } from "../../src/store/index.ts";
import { sampleRecord } from "../support/store-record.ts";
import { newStoreFile, openTestStore } from "../support/test-store.ts";

/** A closed store with so many processes. */
async function makeStore(processes = 300): Promise<string> {
  const file = newStoreFile();
  const store = await Store.open({ file });
  await store.transaction(async (trx) => {
    for (let index = 0; index < processes; index++) await trx.processes.insert(sampleRecord());
  });
  await store.close();
  return file;
}

/** Opens a damaged store and returns where the old file is. */
async function expectReplaced(file: string): Promise<string> {
  const { store, problems } = await openTestStore(file);
  expect(store).toMatchObject({ origin: "replaced", access: "read-write" });
  expect(problems).toMatchObject([{ code: "STORE_CORRUPT", details: { file } }]);
  const path = String(problems[0]?.details["setAside"]);
  expect(path.startsWith(`${file}.corrupt-2`)).toBe(true);
  expect(problems[0]?.message).toContain(path);
  expect(await store.processes.list()).toEqual([]);
  await store.processes.insert(sampleRecord());
  expect(await store.checkIntegrity()).toEqual([]);
  await store.close();
  const again = await openTestStore(file);
  expect(again.store.origin).toBe("existing");
  expect(await again.store.processes.list()).toHaveLength(1);
  return path;
}

test.for([
  ["garbage", Buffer.from("this is no database\n".repeat(500))],
  ["one byte", Buffer.from("S")],
  ["the beginning of a header", Buffer.from("SQLite format 3\0")],
  ["zeros", Buffer.alloc(8192)],
] as const)("%s instead of a store", async ([, content]) => {
  const file = newStoreFile();
  writeFileSync(file, content);
  expect(readFileSync(await expectReplaced(file)).equals(content)).toBe(true);
});

test.for([100, 511, 4096, 4097, 20_000, 81_920])("a store cut to %d bytes", async (size) => {
  const file = await makeStore();
  truncateSync(file, size);
  const content = readFileSync(file);
  expect(readFileSync(await expectReplaced(file)).equals(content)).toBe(true);
});

test("a page that was overwritten", async () => {
  const file = await makeStore();
  const content = readFileSync(file);
  content.fill(0xa5, 5 * 4096, 6 * 4096);
  writeFileSync(file, content);
  expect(readFileSync(await expectReplaced(file)).equals(content)).toBe(true);
});

test("the database of another program", async () => {
  const file = newStoreFile();
  const other = new DatabaseSync(file);
  other.exec("create table recipes (name text)");
  other.close();
  using kept = new DatabaseSync(await expectReplaced(file));
  expect(kept.prepare("select * from recipes").all()).toEqual([]);
});

test("the log goes with the file it belongs to", async () => {
  const file = newStoreFile();
  {
    const { store } = await openTestStore(await makeStore());
    await store.processes.insert(sampleRecord());
    for (const suffix of ["", "-wal", "-shm"]) copyFileSync(store.file + suffix, file + suffix);
  }
  writeFileSync(file, "garbage".repeat(1000));
  const log = readFileSync(`${file}-wal`);
  const path = await expectReplaced(file);
  expect(readFileSync(`${path}-wal`).equals(log)).toBe(true);
  expect(existsSync(`${path}-shm`)).toBe(true);
});

test("a log whose file is gone is not read into a new store", async () => {
  const { store } = await openTestStore();
  await store.processes.insert(sampleRecord());
  const file = newStoreFile();
  copyFileSync(`${store.file}-wal`, `${file}-wal`);
  expect(existsSync(`${await expectReplaced(file)}-wal`)).toBe(true);
});

test("two damages are both kept", async () => {
  const file = newStoreFile();
  for (const text of ["first garbage", "second garbage"]) {
    writeFileSync(file, text.repeat(100));
    await (await Store.open({ file })).close();
  }
  const kept = readdirSync(dirname(file)).filter((name) => name.includes(".corrupt-"));
  expect(kept).toHaveLength(2);
});

test("a large store is checked in a thread of its own", async () => {
  const file = await makeStore(0);
  const database = new DatabaseSync(file);
  database.exec("create table padding (value blob); insert into padding values (zeroblob(12000000))");
  database.exec("create index padding_index on padding (length(value))");
  database.close();
  await (await Store.open({ file })).close();
  const content = readFileSync(file);
  content.fill(0xa5, 2 * 4096, 3 * 4096);
  writeFileSync(file, content);
  expect(readFileSync(await expectReplaced(file)).equals(content)).toBe(true);
});

test("damage that comes while the store is open is found by a check and told by a read", async () => {
  const file = await makeStore();
  const content = readFileSync(file);
  const { store } = await openTestStore(file);
  expect(await store.checkIntegrity()).toEqual([]);
  content.fill(0xa5, 4096);
  writeFileSync(file, content);
  expect(await store.checkIntegrity()).not.toEqual([]);
});

test.each([
  { what: "for a damaged one", content: "garbage".repeat(1000) },
  { what: "for a deleted one", content: undefined },
])(
  "cursors of a store made $what go on beyond every earlier one, and say that some are missing",
  async ({ content }) => {
    const file = newStoreFile();
    if (content !== undefined) writeFileSync(file, content);
    const before = Date.now();
    const { store } = await openTestStore(file, { isHomeUsed: true });
    expect(await store.events.after(5, 10)).toMatchObject([{ kind: "events.trimmed", processId: null }]);
    const next = await store.events.append({ at: 1, kind: "process.changed", processId: null });
    expect(next).toBeGreaterThan(before);
  },
);
