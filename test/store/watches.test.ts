// What the store remembers of watches: counts, how far they came, and the notices of the same commit.
import { expect, test } from "vitest";
import { startInputSchema } from "../../src/protocol/process.ts";
import {
  noticeId,
  withoutEnvironmentValues,
  type NewNotice,
  type WatchAdvance,
} from "../../src/store/index.ts";
import { sampleRecord } from "../support/store-record.ts";
import { openTestStore } from "../support/test-store.ts";

const progress = { resumeAt: 120, push: '{"a":1}', gaps: "[]" };

function notice(processId: string, dedupeKey: string): NewNotice {
  const route = { session: "s1", task: null, profile: "default", origin: null };
  return { kind: "watch.matched", at: 5, processId, route, state: "pending", dedupeKey };
}

async function openWatched() {
  const { store } = await openTestStore();
  const input = startInputSchema.parse({
    command: "sleep 60",
    watches: [
      { kind: "text", text: "one" },
      { kind: "regex", regex: "two", from: 7 },
    ],
  });
  const record = sampleRecord({ spec: withoutEnvironmentValues(input) });
  await store.insertProcess(record);
  const [first, second] = await store.watches.ofProcess(record.id);
  if (first === undefined || second === undefined) throw new Error("the watches of the start are missing");
  return { store, record, first, second };
}

test("watches of a start are there with it, in their order, and go with it", async () => {
  const { store, record, first, second } = await openWatched();
  expect([first, second]).toMatchObject([
    { spec: { kind: "text", text: "one", stream: "both" }, state: "active", fromOffset: 0, hits: 0 },
    { spec: { kind: "regex" }, fromOffset: 7, lastHitAt: null },
  ]);
  expect(await store.watches.get(first.id)).toEqual(first);
  await store.processes.delete(record.id);
  expect(await store.watches.ofProcess(record.id)).toEqual([]);
});

test("hits add up, in all and for each segment; the last one is known", async () => {
  const { store, record, first, second } = await openWatched();
  const step = (at: number, count: number, offset: number, segments: [number, number][]): WatchAdvance => ({
    at,
    processId: record.id,
    progress,
    hits: [{ watch: first.id, count, offset, segments }],
  });
  await store.advanceWatches(step(10, 3, 1_048_570, [[0, 3]]));
  await store.advanceWatches(
    step(20, 5, 2_097_160, [
      [0, 1],
      [2, 4],
    ]),
  );
  expect(await store.watches.get(first.id)).toMatchObject({
    hits: 8,
    lastHitAt: 20,
    lastHitOffset: 2_097_160,
  });
  expect(await store.watches.counts(first.id)).toEqual([
    { segment: 0, hits: 4 },
    { segment: 2, hits: 4 },
  ]);
  expect(await store.watches.get(second.id)).toMatchObject({ hits: 0 });
  expect(await store.watches.progress(record.id)).toEqual(progress);
});

test("a step is stored with its notices or not at all; the same happening is told once", async () => {
  const { store, record, first } = await openWatched();
  let heard = 0;
  store.listenNotices(() => (heard += 1));
  const hits = [{ watch: first.id, count: 1, offset: 0, segments: [] }];
  const step = { at: 10, processId: record.id, progress, hits, notices: [notice(record.id, "push 1")] };
  await store.advanceWatches(step);
  await store.advanceWatches(step);
  expect(heard).toBe(2);
  expect(await store.notices.list({ processId: record.id })).toMatchObject([{ id: noticeId("push 1") }]);
  const orphan = { ...step, processId: "p_none", notices: [notice("p_none", "push 2")] };
  await expect(store.advanceWatches(orphan)).rejects.toMatchObject({ code: "STORE_FAILED" });
  expect(await store.notices.get(noticeId("push 2"))).toBeUndefined();
  expect((await store.watches.get(first.id))?.hits).toBe(2);
});

test("an added watch, an ended one and a removed one; hits of one that is gone are passed over", async () => {
  const { store, record, first, second } = await openWatched();
  const added = { ...first, id: "w_23456789bcdf", fromOffset: 99 };
  await store.advanceWatches({ at: 1, processId: record.id, progress, added: [added], ended: [second.id] });
  expect(await store.removeWatch(first.id)).toBe(true);
  expect(await store.removeWatch(first.id)).toBe(false);
  const hits = [{ watch: first.id, count: 4, offset: 1, segments: [[0, 4]] as const }];
  await store.advanceWatches({ at: 2, processId: record.id, progress, hits });
  expect(await store.watches.ofProcess(record.id)).toMatchObject([
    { id: second.id, state: "ended" },
    { id: added.id, state: "active", fromOffset: 99 },
  ]);
  expect(await store.watches.counts(first.id)).toEqual([]);
});

test("the state of the breaker is one for the whole store", async () => {
  const { store } = await openTestStore();
  expect(await store.watches.breaker()).toBeUndefined();
  for (const breaker of ["{}", '{"recent":[1]}']) {
    await store.advanceWatches({ at: 1, processId: null, breaker });
    expect(await store.watches.breaker()).toBe(breaker);
  }
});
