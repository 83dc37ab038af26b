// What the store remembers of events, whichever database is under it.
import { expect, test } from "vitest";
import type { NewEvent, Store } from "../../src/store/index.ts";
import { openTestStore } from "../support/test-store.ts";

const started: NewEvent = { at: 1_760_000_000_000, kind: "process.started", processId: "p_bcdfg2345678" };

async function appendMany(store: Store, count: number): Promise<void> {
  await store.transaction(async ({ events }) => {
    for (let index = 0; index < count; index++) await events.append({ ...started, data: { index } });
  });
}

test("events come back in order after a cursor", async () => {
  const { store } = await openTestStore();
  expect([await store.events.oldest(), await store.events.last()]).toEqual([0, 0]);
  expect(await store.events.append(started)).toBe(1);
  expect(await store.events.append({ ...started, kind: "process.ended", data: { code: 3 } })).toBe(2);
  expect(await store.events.after(0, 10)).toEqual([
    { ...started, cursor: 1, data: {} },
    { ...started, cursor: 2, kind: "process.ended", data: { code: 3 } },
  ]);
  expect(await store.events.after(1, 10)).toMatchObject([{ cursor: 2 }]);
  expect(await store.events.after(0, 1)).toMatchObject([{ cursor: 1 }]);
  expect(await store.events.after(2, 10)).toEqual([]);
  expect([await store.events.oldest(), await store.events.last()]).toEqual([1, 2]);
});

test("an event of a transaction that fails never happened", async () => {
  const { store } = await openTestStore();
  const failing = store.transaction(async ({ events }) => {
    await events.append(started);
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await store.events.last()).toBe(0);
});

test("a trim keeps the newest and lets others in between its steps", async () => {
  const { store } = await openTestStore();
  await appendMany(store, 1_700);
  expect(await store.events.trim(1_700)).toBe(0);
  const trimming = store.events.trim(100);
  let isDone = false;
  void trimming.then(() => (isDone = true));
  const wasDone: boolean[] = [];
  for (let turn = 0; turn < 3; turn++) {
    await store.events.after(0, 1);
    wasDone.push(isDone);
  }
  expect(wasDone).toContain(false);
  expect(await trimming).toBe(1_600);
  expect([await store.events.oldest(), await store.events.last()]).toEqual([1_601, 1_700]);
});

test("a cursor is never given twice, however much was trimmed", async () => {
  const { store } = await openTestStore();
  await appendMany(store, 3);
  expect(await store.events.trim(0)).toBe(2);
  expect(await store.events.last()).toBe(3);
  expect(await store.events.append(started)).toBe(4);
});
