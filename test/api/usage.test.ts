// Live figures: real processes that burn, allocate and write; sampled only while somebody listens.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { usageUpdateSchema, type ProcessUsage, type UsageUpdate } from "../../src/protocol/usage.ts";
import { connectedClient } from "../support/connected-client.ts";
import { ask } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

const deadlineMs = 20_000;

/** Reads updates until the rows, put together, are as wanted. */
async function until(
  updates: AsyncIterable<UsageUpdate>,
  isReached: (rows: ReadonlyMap<string, ProcessUsage>, update: UsageUpdate) => boolean,
): Promise<ReadonlyMap<string, ProcessUsage>> {
  const rows = new Map<string, ProcessUsage>();
  for await (const update of updates) {
    expect(usageUpdateSchema.safeParse(update).error).toBeUndefined();
    if (update.whole) rows.clear();
    for (const row of update.processes) rows.set(row.id, row);
    if (isReached(rows, update)) return rows;
  }
  throw new Error(`ended before it was reached: ${JSON.stringify([...rows.values()])}`);
}

/** By their name: others come and go as the daemon needs them. */
function samplingThreads(pid: number): number {
  const names = readdirSync(`/proc/${pid}/task`).map((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/comm`, "utf8").trim();
    } catch {
      return ""; // it ended between the listing and this read
    }
  });
  return names.filter((name) => name === "usage").length;
}

test("processor, memory, tree, output rate and last line of every process; the machine and the daemon", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const start = async (command: string): Promise<string> => {
    return (await client.process.start({ command, cwd: "/" })).id;
  };
  const burner = await start("while :; do :; done");
  // Double-forked: the keeper has it, and it still belongs to the tree.
  const scattered = await start("(sleep 1000 & sleep 1000 &); sleep 1000; true");
  const talker = await start(
    "while :; do echo 'the token is ghp_abcdefghijklmnopqrstuvwxyz0123456789'; sleep 0.02; done",
  );
  const updates = client.usage({ signal: AbortSignal.timeout(deadlineMs) });
  const rows = await until(updates, (seen, { machine, daemon: self }) => {
    expect(machine.processors).toBeGreaterThan(0);
    expect(machine.load).toHaveLength(3);
    expect(self.memoryBytes).toBeGreaterThan(10_000_000);
    return (
      // However little of the machine is left for it.
      (seen.get(burner)?.cpu ?? 0) > 0.02 &&
      (seen.get(scattered)?.processes ?? 0) === 4 &&
      (seen.get(talker)?.outputRate ?? 0) > 0
    );
  });
  expect(rows.get(burner)?.memoryBytes).toBeGreaterThan(100_000);
  expect(rows.get(talker)?.lastLine).toContain("the token is ");
  expect(rows.get(talker)?.lastLine).not.toContain("ghp_abcdef");
});

test("a process that starts gets a row, one that ends gets its last one", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const updates = client.usage({ signal: AbortSignal.timeout(deadlineMs) });
  expect((await updates.next()).value).toMatchObject({ whole: true, processes: [], ended: [] });
  const { id } = await client.process.start({ command: "read line; echo bye", cwd: "/", stdin: "open" });
  let hasBegun = false;
  const rows = await until(updates, (seen, { whole, ended }) => {
    expect(whole).toBe(false);
    if (seen.has(id) && !hasBegun) {
      hasBegun = true;
      void client.process.write({ id, parts: [{ text: "\n" }] });
    }
    return ended.includes(id);
  });
  expect(rows.get(id)).toMatchObject({ processes: 0, cpu: 0, outputBytes: 4, lastLine: "bye" });
});

test("who reads a line from its terminal waits; who reads keys, a pipe, or has its own shell to type into does not", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const start = async (command: string, mode: "pty" | "pipe" = "pty"): Promise<string> => {
    return (await client.process.start({ command, mode, cwd: "/", stdin: "open" })).id;
  };
  const asks = await start(
    "printf 'Your name? '; read name; printf 'A word? '; stty -echo; read word; sleep 1000",
  );
  const keys = await start("stty -icanon; printf 'ready'; cat");
  const pipe = await start("cat", "pipe");
  const { process: shell } = await client.terminal.open({ key: "k", cwd: "/", shell: "/bin/sh" });
  await client.process.wait({ ids: [keys], for: { kind: "match", text: "ready" } });
  const untilWaits = async (wanted: string | undefined): Promise<ReadonlyMap<string, ProcessUsage>> =>
    await until(
      client.usage({ signal: AbortSignal.timeout(deadlineMs) }),
      (rows) =>
        rows.has(asks) &&
        rows.get(asks)?.waits?.for === wanted &&
        // That it waits is seen by another way than what it wrote.
        (wanted !== "input" || rows.get(asks)?.lastLine === "Your name? "),
    );
  await untilWaits("input");
  await client.process.write({ id: asks, parts: [{ text: "Ada\r" }] });
  const seen = await untilWaits("password");
  expect([keys, pipe, shell.id].map((id) => seen.get(id)?.waits)).toEqual([null, null, null]);
  await client.process.write({ id: asks, parts: [{ text: "secret\r" }] });
  await untilWaits(undefined);
});

test("nothing is sampled while nobody listens: the thread is there for listeners alone", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  await client.process.start({ command: "sleep 1000", cwd: "/" });
  expect(samplingThreads(daemon.pid())).toBe(0);
  const leaving = new AbortController();
  const updates = client.usage({ signal: leaving.signal });
  await updates.next();
  const second = connectedClient({ home: daemon.home });
  const others = (await second).usage({ signal: leaving.signal });
  await others.next();
  expect(samplingThreads(daemon.pid())).toBe(1);
  leaving.abort();
  await Promise.allSettled([updates.next(), others.next()]);
  await expect.poll(() => samplingThreads(daemon.pid()), { timeout: deadlineMs }).toBe(0);
  expect(await ask(daemon, "daemon.status", {})).toMatchObject({ state: "running" });
});

test("a client that speaks for a session is told only of what it may see", async () => {
  const daemon = await openDaemonHome();
  const person = await connectedClient({ home: daemon.home });
  const start = async (owner: { session?: string }): Promise<string> =>
    (await person.process.start({ command: "sleep 1000", cwd: "/", owner })).id;
  const own = await start({ session: "mine" });
  const nobodys = await start({});
  await start({ session: "other" });
  const agent = await connectedClient({ home: daemon.home, session: "mine" });
  const first = await agent.usage({ signal: AbortSignal.timeout(deadlineMs) }).next();
  expect(first.value?.processes.map(({ id }) => id).toSorted()).toEqual([own, nobodys].toSorted());
});

test("through a kill of the daemon the stream comes back, and begins with every row", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const { id } = await client.process.start({ command: "sleep 1000", cwd: "/" });
  const updates = client.usage({ signal: AbortSignal.timeout(deadlineMs) });
  const first = await updates.next();
  expect(first.value?.whole).toBe(true);
  await daemon.kill();
  await daemon.start();
  for (;;) {
    const next = await updates.next();
    if (next.value?.whole !== true) continue;
    expect(next.value.processes.map((row) => row.id)).toEqual([id]);
    return;
  }
});
