// Stores of every version that was ever written open in this build; stores of a later one are refused untouched.
import { copyFileSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { Store, storeVersion } from "../../src/store/index.ts";
import { sampleRecord } from "../support/store-record.ts";
import { newStoreFile, openTestStore } from "../support/test-store.ts";

const kept = join(import.meta.dirname, "../data/store");
const dumps = readdirSync(kept).toSorted();

function restore(dump: string): string {
  const file = newStoreFile();
  using database = new DatabaseSync(file);
  database.exec("pragma journal_mode = wal");
  database.exec(readFileSync(join(kept, dump), "utf8"));
  return file;
}

function schemaOf(file: string): unknown[] {
  using database = new DatabaseSync(file, { readOnly: true });
  return database.prepare("select type, name, sql from sqlite_schema order by type, name").all();
}

test("a store of every version is kept", () => {
  const expected = Array.from({ length: storeVersion }, (_, i) => `${String(i + 1).padStart(4, "0")}.sql`);
  expect(dumps).toEqual(expected);
});

test.for(dumps)("%s opens, with all it holds", async (dump) => {
  const { store, problems } = await openTestStore(restore(dump));
  expect(store).toMatchObject({ origin: "existing", access: "read-write" });
  expect(problems).toEqual([]);
  expect(await store.processes.list()).toMatchObject([
    {
      id: "p_running23456",
      name: "server",
      state: "running",
      labels: { role: "web", 'odd "key"': "it's" },
      origin: { channel: "#ops", thread: 7 },
      idempotencyKey: "key-1",
    },
    {
      id: "p_ended3456789",
      state: "ended",
      exit: { exit: { kind: "signaled", signal: 15, coreDumped: false }, stopReason: "user" },
      stopRequester: { verb: "process.stop", session: "s1", requestId: "r_23456789bcdf" },
    },
    { id: "p_lost45678923", exit: { exit: { kind: "lost" } }, outputRemoved: true },
  ]);
  expect(await store.processes.list({ labels: { 'odd "key"': "it's" } })).toHaveLength(1);
  expect(await store.events.after(0, 10)).toMatchObject([{ cursor: 1 }, { cursor: 2 }, { cursor: 3 }]);
  expect(await store.events.append({ at: 1, kind: "process.changed", processId: null })).toBe(4);
  await store.processes.insert(sampleRecord({ labels: { role: "web" } }));
  expect(await store.checkIntegrity()).toEqual([]);
});

test.for(dumps)("%s becomes the very schema of a fresh store", async (dump) => {
  const file = restore(dump);
  await (await Store.open({ file })).close();
  const { store: fresh } = await openTestStore();
  expect(schemaOf(file)).toEqual(schemaOf(fresh.file));
});

/** Names, sizes, times and bytes of a home's files; of the index of the log only its name. */
function photograph(file: string): unknown[] {
  return readdirSync(dirname(file)).map((name) => {
    const path = join(dirname(file), name);
    if (name.endsWith("-shm")) return name;
    const { size, mtimeMs, ino } = statSync(path);
    return { name, size, mtimeMs, ino, bytes: readFileSync(path).toString("base64") };
  });
}

const setVersion = `update meta set value = '${storeVersion + 1}' where key = 'schema_version'`;
const tooNew = {
  code: "STORE_TOO_NEW",
  details: { version: storeVersion + 1, known: storeVersion },
};

test("a newer store is refused and not touched", async () => {
  const { store } = await openTestStore();
  await store.close();
  using database = new DatabaseSync(store.file);
  database.exec(setVersion);
  database.close();
  const before = photograph(store.file);
  expect(before).toHaveLength(1);
  await expect(Store.open({ file: store.file })).rejects.toMatchObject(tooNew);
  expect(photograph(store.file)).toEqual(before);
});

test("also when only its log knows, because its writer was killed", async () => {
  const { store } = await openTestStore();
  await store.close();
  const killed = newStoreFile();
  {
    using database = new DatabaseSync(store.file);
    database.exec(setVersion);
    // As it is at this moment on disk, so a kill would leave it.
    for (const suffix of ["", "-wal", "-shm"]) copyFileSync(store.file + suffix, killed + suffix);
  }
  const before = photograph(killed);
  expect(before).toHaveLength(3);
  await expect(Store.open({ file: killed })).rejects.toMatchObject(tooNew);
  expect(photograph(killed)).toEqual(before);
});
