// What is to be pushed to a sink: whose turn it is, and what is no longer wanted.
import { expect, test } from "vitest";
import { noticeId, type NewNotice, type Store } from "../../src/store/index.ts";
import { openTestStore } from "../support/test-store.ts";

const sink = "hook";
const nobody = { exceptSessions: [], exceptNotices: [] };
const change = { state: "pending", attempts: 1, lastError: "refused" } as const;

function notice(name: string): NewNotice {
  const route = { session: "s1", task: null, profile: "default", origin: null };
  return { kind: "process.progress", at: 1, processId: null, route, state: "pending", dedupeKey: name };
}

/** Notices of these names, each with a delivery that is due since 10. */
async function openWith(names: readonly string[]): Promise<Store> {
  const { store } = await openTestStore();
  await store.sinks.open(sink, "", 0);
  await store.addNotices(names.map(notice));
  expect(await store.deliveries.take(sink, {}, 10)).toBe("done");
  return store;
}

async function due(store: Store, nowMs: number, limit: number): Promise<string[]> {
  const found = await store.deliveries.due(sink, nowMs, { ...nobody, limit });
  return found.map((delivery) => delivery.notice.id);
}

const ids = (...names: string[]): string[] => names.map(noticeId);

test("no more are told than were asked for, the oldest first; what was put off comes at its time, after what waits since before", async () => {
  const store = await openWith(["a", "b", "c"]);
  expect(await due(store, 9, 9)).toEqual([]);
  expect(await due(store, 10, 2)).toEqual(ids("a", "b"));
  await store.deliveries.change(noticeId("a"), sink, { ...change, nextAt: 20 }, 11);
  expect(await due(store, 19, 9)).toEqual(ids("b", "c"));
  expect(await due(store, 20, 2)).toEqual(ids("b", "c"));
  expect(await due(store, 20, 9)).toEqual(ids("a", "b", "c"));
});

test("what was settled meanwhile is dropped, and does not stand before what is wanted", async () => {
  const store = await openWith(["a", "b", "c", "d"]);
  for (const name of ["a", "b"]) await store.notices.acknowledge(noticeId(name), undefined, 11);
  // Taken care of by another sink: this one gets its own all the same.
  await store.notices.acknowledge(noticeId("c"), undefined, 11, "sink:other");
  expect(await due(store, 12, 1)).toEqual(ids("c"));
  expect(await due(store, 12, 9)).toEqual(ids("c", "d"));
});

test("when the next one is due is told of those that are not under way", async () => {
  const store = await openWith(["a", "b"]);
  await store.deliveries.change(noticeId("b"), sink, { ...change, nextAt: 30 }, 11);
  expect(await store.deliveries.nextDue(sink, nobody)).toBe(10);
  expect(await store.deliveries.nextDue(sink, { ...nobody, exceptNotices: ids("a") })).toBe(30);
  expect(await store.deliveries.nextDue(sink, { ...nobody, exceptSessions: ["s1"] })).toBeUndefined();
});
