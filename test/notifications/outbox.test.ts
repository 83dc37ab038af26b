// The outbox over a real store, with a clock that can be moved.
import { expect, test } from "vitest";
import { Outbox } from "../../src/notifications/index.ts";
import type { NewNotice } from "../../src/store/index.ts";
import { openTestStore } from "../support/test-store.ts";

const hourMs = 3_600_000;
const never = new AbortController().signal;

function notice(key: string, fields: Partial<NewNotice> = {}): NewNotice {
  return {
    kind: "watch.matched",
    at: 1_760_000_000_000,
    processId: null,
    route: { session: "s1", task: null, profile: "default", origin: null },
    state: "pending",
    dedupeKey: key,
    ...fields,
  };
}

async function openOutbox() {
  const { store } = await openTestStore();
  const clock = { ms: 1_760_000_000_000 };
  return { store, clock, outbox: new Outbox({ store, now: () => clock.ms }) };
}

const claim = { consumer: "a", limit: 10, leaseMs: 60_000, waitMs: 0 };

test("a notice is one consumer's until its lease runs out, then somebody else's; the first is told it is too late", async () => {
  const { store, clock, outbox } = await openOutbox();
  await store.addNotices([notice("one"), notice("two")]);
  const first = await outbox.claim({}, { ...claim, limit: 1 }, never);
  expect(first.map(({ attempts }) => attempts)).toEqual([1]);
  const [id = ""] = first.map((claimed) => claimed.id);
  const second = await outbox.claim({}, { ...claim, consumer: "b" }, never);
  expect(second.map((claimed) => claimed.id)).not.toContain(id);
  clock.ms += 60_001;
  const again = await outbox.claim({}, { ...claim, consumer: "b" }, never);
  expect(again.map((claimed) => claimed.id)).toContain(id);
  expect(await outbox.acknowledge([id], "a")).toEqual(new Map([[id, "lost"]]));
  expect(await outbox.acknowledge([id], "b")).toEqual(new Map([[id, "done"]]));
  expect(await outbox.acknowledge([id, "n_unknown"], "b")).toEqual(
    new Map([
      [id, "already"],
      ["n_unknown", "not_found"],
    ]),
  );
  expect(await store.notices.countPending()).toBe(1);
});

test("a consumer that was away for an hour finds everything, in order, once", async () => {
  const { store, clock, outbox } = await openOutbox();
  const [held] = await store.addNotices([notice("before")]).then(() => outbox.claim({}, claim, never));
  for (let count = 0; count < 200; count++) {
    clock.ms += hourMs / 200;
    await store.addNotices([notice(`during ${count}`, { at: clock.ms })]);
  }
  const found = await outbox.claim({}, { ...claim, consumer: "back", limit: 1_000 }, never);
  expect(found).toHaveLength(201);
  expect(found[0]?.id).toBe(held?.id);
  const cursors = found.map(({ cursor }) => cursor);
  expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
  await outbox.acknowledge(
    found.map(({ id }) => id),
    "back",
  );
  expect(await outbox.claim({}, { ...claim, consumer: "c" }, never)).toEqual([]);
});

test("the same happening is told once, under the same id", async () => {
  const { store, outbox } = await openOutbox();
  await store.addNotices([notice("same")]);
  const [claimed] = await outbox.claim({}, claim, never);
  await outbox.acknowledge([claimed?.id ?? ""], "a");
  await store.addNotices([notice("same")]);
  expect(await outbox.claim({}, claim, never)).toEqual([]);
  const { store: rebuilt } = await openOutbox();
  await rebuilt.addNotices([notice("same")]);
  expect((await rebuilt.notices.list({}))[0]?.id).toBe(claimed?.id);
});

test("a claim waits for the next notice, a release, or the end of a lease, and leaves with its caller", async () => {
  const { store, outbox } = await openOutbox();
  const waiting = outbox.claim({ session: "s1" }, { ...claim, waitMs: 60_000 }, never);
  await store.addNotices([notice("other", { route: { ...notice("").route, session: "s2" } })]);
  await store.addNotices([notice("own")]);
  const claimed = await waiting;
  expect(claimed.map(({ route }) => route.session)).toEqual(["s1"]);
  const released = outbox.claim({ session: "s1" }, { ...claim, consumer: "b", waitMs: 60_000 }, never);
  await outbox.release([claimed[0]?.id ?? ""], "a");
  expect((await released).map(({ id }) => id)).toEqual(claimed.map(({ id }) => id));
  const gone = new AbortController();
  const left = outbox.claim({ session: "nobody" }, { ...claim, waitMs: 60_000 }, gone.signal);
  gone.abort();
  expect(await left).toEqual([]);
});

test("an end that is being told by an answer is kept back until that is over", async () => {
  const { store, outbox } = await openOutbox();
  await store.addNotices([
    notice("end", { kind: "process.ended", processId: "p_1" }),
    notice("match", { processId: "p_1" }),
  ]);
  const release = outbox.hold("p_1");
  expect((await outbox.claim({}, claim, never)).map(({ kind }) => kind)).toEqual(["watch.matched"]);
  const waiting = outbox.claim({}, { ...claim, waitMs: 60_000 }, never);
  release();
  expect((await waiting).map(({ kind }) => kind)).toEqual(["process.ended"]);
});

test("seen and observed count only for the session a notice is routed to", async () => {
  const { store, outbox } = await openOutbox();
  await store.addNotices([notice("end", { kind: "process.ended", processId: "p_1" })]);
  await outbox.markEndSeen("p_1", "s2", "process.wait");
  expect(await store.notices.countPending({ session: "s1" })).toBe(1);
  await outbox.markEndObserved("p_1", "s1");
  expect(await store.notices.list({ unread: { by: "s1" } })).toEqual([]);
  expect(await store.notices.list({ unread: { by: "s2" } })).toHaveLength(1);
  expect(await store.notices.list({ unread: { by: undefined } })).toHaveLength(1);
  expect(await store.notices.countPending({ session: "s1" })).toBe(1);
  await outbox.markEndSeen("p_1", "s1", "process.wait");
  expect(await store.notices.list({})).toMatchObject([{ state: "seen", settledBy: "process.wait" }]);
  expect(await outbox.claim({}, claim, never)).toEqual([]);
});

test("what was kept long enough goes, and what was still owed is told as it goes", async () => {
  const { store } = await openOutbox();
  await store.addNotices([
    notice("old", { at: 1_000 }),
    notice("quiet", { at: 1_000, state: "recorded" }),
    notice("new"),
  ]);
  const lost = await store.notices.expire({ pendingMs: 2_000, settledMs: 2_000 });
  expect(lost).toMatchObject([{ state: "pending", at: 1_000 }]);
  expect(await store.notices.list({})).toHaveLength(1);
});
