// Notices that are there from the commit of what they report, and are shown to nobody until what belongs before them has been told.
import { expect, test } from "vitest";
import { noticeId, type NewNotice } from "../../src/store/index.ts";
import { sampleRecord } from "../support/store-record.ts";
import { openTestStore } from "../support/test-store.ts";

const claim = { consumer: "c", nowMs: 50, leaseUntilMs: 60, limit: 10, exceptProcesses: [] };

async function openHeld() {
  const { store } = await openTestStore();
  const record = sampleRecord({ session: "s1" });
  await store.insertProcess(record);
  await store.sinks.open("hook", "", 0);
  const notice = (kind: NewNotice["kind"], data = {}): NewNotice => {
    const state = "pending";
    return {
      kind,
      at: 5,
      processId: record.id,
      route: record,
      state,
      dedupeKey: `${kind}:${record.id}`,
      data,
    };
  };
  const end = notice("process.ended", { told: "late" });
  const event = { at: 5, kind: "process.ended", processId: record.id } as const;
  await store.changeProcess(record.id, { state: "ended" }, event, [{ ...end, isHeld: true, data: {} }]);
  const kinds = async (): Promise<string[]> => (await store.notices.list({})).map(({ kind }) => kind);
  /** What the watches found last, and the end. */
  const tell = () =>
    store.advanceWatches({
      at: 9,
      processId: record.id,
      notices: [notice("watch.matched")],
      heldNotices: [end],
    });
  const id = noticeId(end.dedupeKey);
  return { store, record, id, kinds, tell };
}

test("a held notice is owed and nobody gets it: no list, no claim, no sink", async () => {
  const { store, record, id, kinds, tell } = await openHeld();
  expect(await kinds()).toEqual([]);
  expect(await store.notices.claim({}, claim)).toEqual([]);
  expect(await store.deliveries.take("hook", {}, 6)).toBe("done");
  expect(await store.deliveries.due("hook", 99, { exceptSessions: [], exceptNotices: [], limit: 9 })).toEqual(
    [],
  );
  expect(await store.notices.countPending()).toBe(1);
  expect(await store.notices.owedProcesses([record.id])).toEqual(new Set([record.id]));
  await tell();
  expect(await kinds(), "what was told meanwhile comes first").toEqual(["watch.matched", "process.ended"]);
  expect(await store.notices.get(id)).toMatchObject({
    state: "pending",
    isObserved: false,
    data: { told: "late" },
  });
  expect(await store.notices.claim({}, claim)).toHaveLength(2);
  await store.deliveries.take("hook", {}, 7);
  const due = await store.deliveries.due("hook", 99, { exceptSessions: [], exceptNotices: [], limit: 9 });
  expect(due.map(({ notice }) => notice.kind)).toEqual(["watch.matched", "process.ended"]);
});

test("what became of it while it was held stays so", async () => {
  const observed = await openHeld();
  await observed.store.notices.markEndObserved(observed.record.id, "s1", 6);
  await observed.tell();
  expect(await observed.store.notices.get(observed.id)).toMatchObject({ state: "pending", isObserved: true });
  const seen = await openHeld();
  await seen.store.notices.markEndSeen(seen.record.id, "s1", "process.wait", 6);
  await seen.tell();
  expect(await seen.store.notices.get(seen.id)).toMatchObject({ state: "seen", settledBy: "process.wait" });
  expect(await seen.store.notices.countPending()).toBe(1);
  const acknowledged = await openHeld();
  expect(await acknowledged.store.notices.acknowledge(acknowledged.id, undefined, 6)).toBe("done");
  await acknowledged.tell();
  expect(await acknowledged.store.notices.get(acknowledged.id)).toMatchObject({ state: "acknowledged" });
});

test("of a process that is removed it is told at once", async () => {
  const { store, record, kinds } = await openHeld();
  let heard = 0;
  store.listenNotices((isOwed) => (heard += isOwed ? 1 : 0));
  await store.removeProcess(record.id, { at: 8, kind: "process.removed", processId: record.id });
  expect(await kinds()).toEqual(["process.ended"]);
  expect(heard).toBe(1);
  expect(await store.notices.claim({}, claim)).toHaveLength(1);
});
