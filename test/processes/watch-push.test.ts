// When matches are pushed: windows, strikes, the breaker, and nothing after the end.
import { expect, test } from "vitest";
import { ask } from "../support/daemon-calls.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { freeze, thaw } from "../support/process-facts.ts";
import { endUnseen, hitsOf, noticesOf, untilEndsTold, watchesOf } from "../support/watch-calls.ts";

const watches = [{ kind: "text", text: "match" }] as const;

async function startEcho(daemon: DaemonHome, session = "s1"): Promise<(line: string) => Promise<void>> {
  const { id } = await ask(daemon, "process.start", {
    command: "cat",
    cwd: "/",
    stdin: "open",
    name: `echo-${session}`,
    owner: { session },
    watches: [...watches],
  });
  let hits = 0;
  return async (line) => {
    await ask(daemon, "process.write", { id, parts: [{ text: `${line}\n` }] });
    hits += 1;
    await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000, interval: 20 }).toEqual([hits]);
  };
}

test("the first match is told at once, those inside the window together when it ends", async () => {
  const daemon = await openDaemonHome({ environment: { HOLDFAST_WATCH_WINDOW_MS: "8000" } });
  const write = await startEcho(daemon);
  await write("match 1");
  expect(await noticesOf(daemon, "echo-s1", "watch.matched")).toMatchObject([
    { data: { count: 1, heldBack: 0, lines: [{ line: "match 1" }] } },
  ]);
  await write("match 2");
  await write("match 3");
  expect(await noticesOf(daemon, "echo-s1", "watch.matched")).toHaveLength(1);
  await expect
    .poll(() => noticesOf(daemon, "echo-s1", "watch.matched"))
    .toMatchObject([
      { data: { count: 1 } },
      { data: { count: 2, heldBack: 2, lines: [{ line: "match 2" }, { line: "match 3" }] } },
    ]);
});

test("three windows in a row with matches that had to wait: pushing stops, said once, and the end is told instead", async () => {
  const daemon = await openDaemonHome({ environment: { HOLDFAST_WATCH_WINDOW_MS: "300" } });
  const { id } = await ask(daemon, "process.start", {
    command: "while read -t 0.05 line || [ $? -gt 128 ]; do echo match; done",
    cwd: "/",
    stdin: "open",
    owner: { session: "s1" },
    watches: [...watches],
  });
  await expect
    .poll(() => noticesOf(daemon, id, "watch.disabled"), { timeout: 20_000 })
    .toMatchObject([{ state: "pending", data: { strikes: 3 } }]);
  const pushes = await noticesOf(daemon, id, "watch.matched");
  // A window in which the machine let it write nothing begins a new row, with a push that nothing had to wait for.
  const row = pushes.slice(pushes.findLastIndex(({ data }) => data["heldBack"] === 0));
  expect(row).toHaveLength(3);
  expect(await ask(daemon, "process.get", { id })).toMatchObject({ notify: "end" });
  expect(await watchesOf(daemon, id)).toMatchObject([{ pushOff: true, state: "active" }]);
  const [before = 0] = await hitsOf(daemon, id);
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).not.toEqual([before]);
  await ask(daemon, "process.close-stdin", { id });
  await ask(daemon, "process.wait", { ids: [id] });
  await untilEndsTold(daemon);
  const idsOf = (notices: typeof pushes): string[] => notices.map((notice) => notice.id);
  expect(idsOf(await noticesOf(daemon, id, "watch.matched"))).toEqual(idsOf(pushes));
  expect(await noticesOf(daemon, id, "watch.disabled")).toHaveLength(1);
  const [hits = 0] = await hitsOf(daemon, id);
  const told = pushes.reduce((sum, { data }) => sum + Number(data["count"]), 0);
  const [end] = await noticesOf(daemon, id, "process.ended");
  expect(end).toMatchObject({ state: "pending", data: { heldBack: hits - told } });
  expect(end?.text).toContain(`matches not told before: ${hits - told}`);
});

test("a match in the last line is told before the end, and nothing after it", async () => {
  const daemon = await openDaemonHome();
  const commands = [
    "printf match",
    "echo one; echo match",
    "echo match; echo match >&2; printf 'match without end'",
  ];
  const ids = await Promise.all(
    commands.map(async (command) => {
      const { id } = await ask(daemon, "process.start", {
        command: `read go; ${command}`,
        cwd: "/",
        stdin: "open",
        owner: { session: "s1" },
        watches: [...watches],
      });
      return id;
    }),
  );
  // It finds all lines of each at once, however long that took to write them.
  await freeze(daemon.pid());
  try {
    await Promise.all(ids.map((id) => endUnseen(daemon, id)));
  } finally {
    thaw(daemon.pid());
  }
  await ask(daemon, "process.wait", { ids, mode: "all" });
  await untilEndsTold(daemon);
  for (const id of ids) {
    const all = await noticesOf(daemon, id, "watch.matched", "process.ended");
    expect(all.map(({ kind }) => kind)).toEqual(["watch.matched", "process.ended"]);
    expect(all[1]).toMatchObject({ state: "recorded" });
  }
  expect(await hitsOf(daemon, ids[2] ?? "")).toEqual([3]);
});

test("what is still held back at the end is told with it, or before it where nobody is told the end", async () => {
  const daemon = await openDaemonHome();
  const command = "echo match 1; read line; echo match 2; echo match 3";
  const ids: string[] = [];
  for (const notify of ["end", "off"] as const) {
    const started = await ask(daemon, "process.start", {
      command,
      cwd: "/",
      stdin: "open",
      notify,
      watches: [...watches],
    });
    await expect.poll(() => hitsOf(daemon, started.id), { timeout: 10_000 }).toEqual([1]);
    await ask(daemon, "process.write", { id: started.id, parts: [{ text: "\n" }] });
    await ask(daemon, "process.wait", { ids: [started.id] });
    ids.push(started.id);
  }
  await untilEndsTold(daemon);
  const [told = "", untold = ""] = ids;
  expect(await noticesOf(daemon, told, "watch.matched", "process.ended")).toMatchObject([
    { kind: "watch.matched", data: { count: 1 } },
    { kind: "process.ended", state: "pending", data: { heldBack: 2 } },
  ]);
  expect(await noticesOf(daemon, untold, "watch.matched", "process.ended")).toMatchObject([
    { kind: "watch.matched", data: { count: 1 } },
    { kind: "watch.matched", data: { count: 2, heldBack: 2 } },
    { kind: "process.ended", state: "recorded", data: {} },
  ]);
});

test("too many pushes at once: the breaker pauses them, and each session hears it with its own count, through a restart", async () => {
  const daemon = await openDaemonHome({
    environment: {
      HOLDFAST_WATCH_WINDOW_MS: "1",
      HOLDFAST_WATCH_STRIKES: "1000",
      HOLDFAST_WATCH_BREAKER_PUSHES: "3",
      HOLDFAST_WATCH_BREAKER_WITHIN_MS: "60000",
      HOLDFAST_WATCH_BREAKER_PAUSE_MS: "7000",
    },
  });
  const [first, second] = [await startEcho(daemon, "a"), await startEcho(daemon, "b")];
  for (const number of [1, 2, 3]) await first(`match ${number}`);
  expect(await noticesOf(daemon, "echo-a", "watch.matched")).toHaveLength(3);
  const breakerOf = async (session: string): Promise<unknown[]> => {
    const { notices } = await ask(daemon, "notifications.list", {
      session,
      kinds: ["breaker.tripped", "breaker.released"],
    });
    return notices.map(({ kind, data }) => [kind, data["heldBack"]]);
  };
  await first("match 4");
  expect(await breakerOf("a")).toEqual([["breaker.tripped", 1]]);
  expect(await breakerOf("b")).toEqual([]);
  await second("match 1");
  await second("match 2");
  expect(await breakerOf("b")).toEqual([["breaker.tripped", 1]]);
  await daemon.kill();
  await daemon.start();
  await expect
    .poll(() => breakerOf("a"), { timeout: 20_000 })
    .toEqual([
      ["breaker.tripped", 1],
      ["breaker.released", 1],
    ]);
  await expect
    .poll(() => breakerOf("b"))
    .toEqual([
      ["breaker.tripped", 1],
      ["breaker.released", 2],
    ]);
  await second("match 3");
  expect(await noticesOf(daemon, "echo-b", "watch.matched")).toMatchObject([
    { data: { count: 3, heldBack: 2 } },
  ]);
});
