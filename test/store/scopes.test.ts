// How far sessions have looked, and what was shared with them: kept with the process, bounded, gone with either.
import { expect, test } from "vitest";
import type { AuditRecord } from "../../src/store/index.ts";
import { sampleRecord } from "../support/store-record.ts";
import { openTestStore } from "../support/test-store.ts";

const audit: AuditRecord = {
  at: 1,
  what: "shared",
  decision: "allow",
  session: "s1",
  task: null,
  profile: "default",
  command: "x",
  cwd: "/",
  rules: ["read"],
  approval: null,
  by: "somebody",
  requestId: "r_1",
};

test("a cursor is kept for each session; what is not given stays, and it goes with the process or the session", async () => {
  const { store } = await openTestStore();
  const record = sampleRecord({ session: "s1" });
  const { id } = record;
  await store.insertProcess(record);
  expect(await store.cursors.get("s1", id)).toBeUndefined();
  await store.cursors.set("s1", id, { offset: 7 }, 1);
  await store.cursors.set("s1", id, { screen: ["a", ""] }, 2);
  await store.cursors.set("s2", id, { screen: null }, 2);
  expect(await store.cursors.get("s1", id)).toEqual({ offset: 7, screen: ["a", ""] });
  expect(await store.cursors.get("s2", id)).toEqual({ offset: 0, screen: null });
  await store.cursors.deleteOf("s2");
  expect(await store.cursors.get("s2", id)).toBeUndefined();
  await store.removeProcess(id, { at: 3, kind: "process.removed", processId: id });
  expect(await store.cursors.get("s1", id)).toBeUndefined();
  await store.cursors.set("s1", id, { offset: 9 }, 4); // of what is gone nothing is written
  expect(await store.cursors.get("s1", id)).toBeUndefined();
});

test("of a session the newest thousand looks are kept, of others all of theirs", async () => {
  const { store } = await openTestStore();
  const ids = Array.from({ length: 1_002 }, (_, index) => `p_${String(index).padStart(12, "b")}`);
  for (const id of ids) await store.insertProcess(sampleRecord({ id, name: null, idempotencyKey: null }));
  await store.cursors.set("s2", ids[0] ?? "", { offset: 1 }, 0);
  for (const [index, id] of ids.entries()) await store.cursors.set("s1", id, { offset: 1 }, index + 1);
  const kept = await Promise.all(ids.map(async (id) => (await store.cursors.get("s1", id)) !== undefined));
  expect(kept.slice(0, 3)).toEqual([false, false, true]);
  expect(kept.filter(Boolean)).toHaveLength(1_000);
  expect(await store.cursors.get("s2", ids[0] ?? "")).toBeDefined();
});

test("a share is for one session or for all, the larger counts, and it is told in the same commit", async () => {
  const { store } = await openTestStore();
  const record = sampleRecord({ session: "s1" });
  const { id } = record;
  await store.insertProcess(record);
  const share = { processId: id, by: "somebody", at: 5 };
  expect(await store.shares.rightOf(id, "s2")).toBeUndefined();
  await store.shares.set({ ...share, session: null, right: "read" }, audit);
  await store.shares.set({ ...share, session: "s2", right: "control" }, audit);
  expect([await store.shares.rightOf(id, "s2"), await store.shares.rightOf(id, "s3")]).toEqual([
    "control",
    "read",
  ]);
  expect(await store.processes.list({ visibleTo: "s3" })).toHaveLength(1);
  await store.shares.set({ ...share, session: "s2", right: "read" }, audit);
  expect(await store.shares.ofProcess(id)).toMatchObject([
    { session: null, right: "read" },
    { session: "s2", right: "read" },
  ]);
  await store.shares.remove(id, null, audit);
  await store.shares.deleteOf("s2");
  expect(await store.shares.ofProcess(id)).toEqual([]);
  expect(await store.processes.list({ visibleTo: "s3" })).toEqual([]);
  expect(await store.audit.list({ limit: 10 })).toHaveLength(4);
});
