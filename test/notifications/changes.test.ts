// What becomes of a notice is told to people who follow them: acknowledged, heard by an answer, owed again.
import { expect, test } from "vitest";
import type { NoticeChange } from "../../src/protocol/notices.ts";
import type { Client } from "../../src/sdk/index.ts";
import { NoticeChanges } from "../../src/operations/notice-changes.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { openTestStore } from "../support/test-store.ts";

/** Follows until the test is over; resolves when the daemon has the reader. */
async function followed(client: Client) {
  const changes: NoticeChange[] = [];
  let opened = 0;
  const options = {
    after: 0,
    recorded: true,
    onChange: (told: readonly NoticeChange[]) => changes.push(...told),
    onOpen: () => (opened += 1),
  };
  const notices = client.notices(options);
  const first = await notices.next();
  // Nothing is read ahead: whoever follows asks for the next one.
  void notices.next().catch(() => undefined); // the test is over
  if (first.done === true) throw new Error("no notice came");
  return { id: first.value.id, changes, opens: () => opened };
}

test("acknowledged, owed again, seen by its session; through a kill of the daemon, and nothing of it to a session", async () => {
  const daemon = await openDaemonHome();
  const { home } = daemon;
  const person = await connectedClient({ home });
  const session = await connectedClient({ home, session: "s1" });
  const { id: process } = await session.process.start({ command: "true", cwd: "/", notify: "end" });
  const mine = await followed(person);
  const theirs = await followed(session);
  await person.notifications.acknowledge({ notices: [mine.id] });
  await expect
    .poll(() => mine.changes)
    .toEqual([{ id: mine.id, state: "acknowledged", acknowledgedBy: "by hand" }]);
  await person.notifications.acknowledge({ notices: [mine.id] });
  await person.notifications.replay({ notice: mine.id });
  await expect
    .poll(() => mine.changes.at(-1))
    .toEqual({ id: mine.id, state: "pending", acknowledgedBy: null });
  await daemon.kill();
  await daemon.start();
  await expect.poll(() => mine.opens(), { timeout: 20_000 }).toBe(2);
  await session.process.wait({ ids: [process] });
  await expect
    .poll(() => mine.changes.at(-1))
    .toEqual({ id: mine.id, state: "seen", acknowledgedBy: "process.wait" });
  expect(mine.changes).toHaveLength(3);
  expect(theirs.changes).toEqual([]);
});

test("what changes while a notice is on its way to its reader goes with it", async () => {
  const { store } = await openTestStore();
  const told: NoticeChange[] = [];
  const changes = new NoticeChanges(store.notices, (some) => told.push(...some));
  const route = { session: null, task: null, profile: "default", origin: null };
  const about = { kind: "watch.matched", at: 0, processId: null, route, state: "pending" } as const;
  await store.addNotices([
    { ...about, dedupeKey: "one" },
    { ...about, dedupeKey: "two" },
  ]);
  const read = (await store.notices.list({})).map(({ id, state }) => ({ id, state, acknowledgedBy: null }));
  const [one, two] = read;
  if (one === undefined || two === undefined) throw new Error("no notices");
  await store.notices.acknowledge(one.id, undefined, 1);
  expect(changes.applied(one)).toEqual({ id: one.id, state: "acknowledged", acknowledgedBy: "by hand" });
  expect(changes.applied(two)).toEqual(two);
  changes.stop();
  await store.notices.acknowledge(two.id, undefined, 1);
  expect(told.map(({ id }) => id)).toEqual([one.id]);
});
