// The end of a watched process whose output takes long to look at: it is known soon, and told after every match before it.
import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
import { ask } from "../support/daemon-calls.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { holdUpMatcher } from "../support/held-up-matcher.ts";
import { endUnseen, hitsOf, noticesOf, untilEndsTold, watchesOf } from "../support/watch-calls.ts";

// Each one that is held up has a thread of Node's pool.
const environment = { UV_THREADPOOL_SIZE: "32" };

/** One that will write ten matches and end with 7 once its stdin is closed. */
async function startWatched(daemon: DaemonHome, session: string): Promise<string> {
  const { id } = await ask(daemon, "process.start", {
    command: "read line; seq -f 'needle %g' 10; exit 7",
    cwd: "/",
    stdin: "open",
    notify: "end",
    owner: { session },
    watches: [{ kind: "text", text: "needle" }],
  });
  return id;
}

type Told = readonly [kind: string, count: unknown, state: string];

async function toldOf(daemon: DaemonHome, id: string): Promise<Told[]> {
  const notices = await noticesOf(daemon, id, "watch.matched", "watch.gap", "process.ended");
  return notices.map(({ kind, data, state }) => [kind, data["count"] ?? data["from"], state]);
}

test("while matches are being looked for the end is known, owed and told to nobody; then it is told after them", async () => {
  const daemon = await openDaemonHome({ environment });
  const ids = await Promise.all(["plain", "waits"].map((session) => startWatched(daemon, session)));
  const [plain = "", waited = ""] = ids;
  await daemon.kill();
  const directories = await Promise.all(ids.map((id) => endUnseen(daemon, id)));
  const letGo = directories.map(holdUpMatcher);
  await daemon.start();
  const waits = await connectedClient({ home: daemon.home, session: "waits" });

  const { results } = await waits.process.wait({ ids: [waited] });
  expect(results[0]?.process.exit).toEqual({ kind: "exited", code: 7 });
  const claimed = await ask(daemon, "notifications.claim", { consumer: "eager", process: plain });
  expect(claimed.notices).toEqual([]);
  expect(await ask(daemon, "notifications.list", { process: plain })).toMatchObject({
    notices: [],
    pending: 1,
  });
  expect((await ask(daemon, "daemon.idle", {})).sources).toContainEqual({ name: "ends", count: 2 });

  // What the next daemon finds is enough: it knows what is owed, and goes on.
  await daemon.kill();
  await daemon.start();
  expect(await toldOf(daemon, plain)).toEqual([]);
  for (const go of letGo) go();
  const matched = ["watch.matched", 10, "pending"];
  for (const [id, state] of [
    [plain, "pending"],
    [waited, "seen"],
  ] as const) {
    await expect.poll(() => toldOf(daemon, id), { timeout: 20_000 }).toHaveLength(2);
    const told = await toldOf(daemon, id);
    // Seen by its session's own wait, which came before: it stays where it was.
    const end = ["process.ended", undefined, state];
    expect(told).toEqual(state === "seen" ? [end, matched] : [matched, end]);
    expect(await hitsOf(daemon, id)).toEqual([10]);
  }
  await untilEndsTold(daemon);
});

/** Its index is a directory, which can be opened and not read. Returns how to put it back. */
function makeUnreadable(directory: string): () => void {
  const [index = ""] = readdirSync(directory).filter((name) => name.endsWith(".idx"));
  const path = join(directory, index);
  renameSync(path, `${path}.kept`);
  mkdirSync(path);
  return () => {
    renameSync(path, `${path}.unreadable`);
    renameSync(`${path}.kept`, path);
  };
}

test("output that cannot be read is told as a gap, and the end all the same, also of what is removed meanwhile", async () => {
  const daemon = await openDaemonHome();
  const [id, removed] = [await startWatched(daemon, "s"), await startWatched(daemon, "removes")];
  await daemon.kill();
  const putBack = makeUnreadable(await endUnseen(daemon, id));
  makeUnreadable(await endUnseen(daemon, removed));
  await daemon.start();
  const toRemover = async (): Promise<string[]> =>
    (await ask(daemon, "notifications.list", { session: "removes" })).notices.map(({ kind }) => kind);
  expect(await toRemover(), "it is looked at again and again").toEqual([]);
  await ask(daemon, "process.remove", { ids: [removed] });
  expect(await toRemover()).toEqual(["process.ended"]);
  await expect.poll(() => noticesOf(daemon, id, "watch.gap"), { timeout: 30_000 }).toHaveLength(1);
  putBack();
  await untilEndsTold(daemon);
  expect(await toldOf(daemon, id)).toEqual([
    ["watch.gap", 0, "pending"],
    ["process.ended", undefined, "pending"],
  ]);
  const [watch] = await watchesOf(daemon, id);
  const { gaps } = await ask(daemon, "watch.hits", { watch: watch?.id ?? "" });
  expect(gaps).toEqual([{ from: 0, to: 10 * "needle 0\n".length + 1 }]);
});
