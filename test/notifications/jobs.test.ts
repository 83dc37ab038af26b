// Jobs, progress, the wait barrier and delegations, with a real daemon that is killed in between.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { Client } from "../../src/sdk/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome, sharedDaemonHome } from "../support/daemon-home.ts";

const shared = await sharedDaemonHome();

async function endedNotice(client: Client, id: string): Promise<string> {
  const claim = {
    consumer: "c",
    session: "s1",
    process: id,
    kinds: ["process.ended" as const],
    waitMs: 20_000,
  };
  const { notices } = await client.notifications.claim(claim);
  return notices[0]?.text ?? "";
}

test("a job is detached, its end is owed, and its result is head and tail of what it wrote", async () => {
  const { home } = shared;
  const client = await connectedClient({ home, session: "s1" });
  const job = await client.job.run({ command: "seq 1 20000; exit 5", cwd: "/" });
  expect(job).toMatchObject({
    kind: "job",
    notify: "end",
    lifetime: "detached",
    limits: { wallMs: 3_600_000 },
  });
  expect(await endedNotice(client, job.id)).toContain(`Job ${job.id} ended with exit code 5`);
  const result = await client.job.result({ id: job.id });
  expect(result).toMatchObject({ isFinal: true, process: { exit: { kind: "exited", code: 5 } } });
  expect(result.text).toMatch(/^Job \S+ ended with exit code 5 after .*\n1\n2\n3\n/);
  expect(result.text).toMatch(/\n19999\n20000\n?$/);
  expect(result.text).toContain("bytes left out");
  expect(result.text.length).toBeLessThan(16_500);
  expect(result.omittedBytes).toBeGreaterThan(80_000);
  const plain = await client.process.start({ command: "true", cwd: "/" });
  await expect(client.job.result({ id: plain.id })).rejects.toMatchObject({ code: "NOT_A_JOB" });
  expect((await client.job.list({ session: "s1" })).jobs.map(({ id }) => id)).toEqual([job.id]);
  expect((await client.job.list({ session: "s2" })).jobs).toEqual([]);
});

test("a job that hangs is ended by its limit, and its end is told with the reason", async () => {
  const { home } = shared;
  const client = await connectedClient({ home, session: "s1" });
  const job = await client.job.run({
    command: "exec sleep 1000",
    cwd: "/",
    limits: { wallMs: 300, graceMs: 100 },
  });
  const text = await endedNotice(client, job.id);
  expect(text).toContain("was ended by SIGTERM");
  expect(text).toContain("why: its time limit was reached");
});

test("progress is told so often, without a backlog, also after kill -9 of the daemon", async () => {
  const daemon = shared;
  const client = await connectedClient({ home: daemon.home, session: "s1" });
  const { id } = await client.process.start({
    command: "exec sleep 1000",
    cwd: "/",
    notify: "off",
    progress: { everyMs: 1_000 },
  });
  const told = async (): Promise<string[]> => {
    const { notices } = await client.notifications.list({ process: id, kinds: ["process.progress"] });
    return notices.map((notice) => notice.id);
  };
  await expect.poll(told, { timeout: 10_000 }).toHaveLength(1);
  const first = await told();
  await daemon.kill();
  await daemon.start();
  await expect.poll(async () => (await told())[0] === first[0], { timeout: 10_000 }).toBe(false);
  expect((await told()).length).toBeLessThanOrEqual(1);
  await client.process.stop({ ids: [id] });
  expect(await told(), "what has ended no longer runs").toEqual([]);
});

test("a barrier holds while its process runs, and goes by its end, its time, or whatever cannot be known", async () => {
  const daemon = shared;
  const client = await connectedClient({ home: daemon.home, session: "s1" });
  const { id } = await client.process.start({ command: "exec sleep 1000", cwd: "/" });
  const session = "s1";
  expect(await client.barrier.get({ session })).toMatchObject({ waiting: false, barrier: null });
  expect(await client.barrier.set({ session, for: { process: id.slice(0, 8) } })).toMatchObject({
    waiting: true,
    barrier: { kind: "process", target: id },
  });
  await daemon.kill();
  await daemon.start();
  expect(await client.barrier.get({ session })).toMatchObject({ waiting: true });
  await client.process.stop({ ids: [id], graceMs: 0 });
  expect(await client.barrier.get({ session })).toMatchObject({ waiting: false, reason: `${id} has ended` });
  expect(await client.barrier.get({ session })).toMatchObject({ barrier: null });
  expect(
    await client.barrier.set({ session, for: { until: new Date(Date.now() - 1).toISOString() } }),
  ).toMatchObject({
    waiting: false,
  });
  const later = new Date(Date.now() + 3_600_000).toISOString();
  expect(await client.barrier.set({ session, for: { until: later } })).toMatchObject({ waiting: true });
  expect(await client.barrier.clear({ session })).toEqual({ cleared: true });
  expect(await client.barrier.clear({ session })).toEqual({ cleared: false });
  await expect(client.barrier.set({ session, for: { process: "p_unknownunkno" } })).rejects.toMatchObject({
    code: "PROCESS_NOT_FOUND",
  });
});

test("a barrier on a pid is on that process and no other", async () => {
  const { home } = shared;
  const client = await connectedClient({ home });
  const child = spawn("sleep", ["1000"]);
  await once(child, "spawn");
  const session = "s1";
  expect(await client.barrier.set({ session, for: { pid: child.pid ?? 0 } })).toMatchObject({
    waiting: true,
  });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await client.barrier.get({ session })).toMatchObject({ waiting: false });
  await expect(client.barrier.set({ session, for: { pid: child.pid ?? 0 } })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("a recorded match of its process opens the barrier", async () => {
  const { home } = shared;
  const client = await connectedClient({ home, session: "s1" });
  const { id } = await client.process.start({
    command: "read line; echo listening; exec sleep 1000",
    cwd: "/",
    stdin: "open",
    watches: [{ kind: "text", text: "listening" }],
  });
  expect(await client.barrier.set({ session: "s1", for: { process: id } })).toMatchObject({ waiting: true });
  await client.process.write({ id, parts: [{ text: "go\n" }] });
  await expect
    .poll(() => client.barrier.get({ session: "s1" }), { timeout: 15_000 })
    .toMatchObject({ waiting: false });
  await client.process.stop({ ids: [id], graceMs: 0 });
});

test("delegated work is told in one block when it is finished, each item by its index with its mark", async () => {
  const daemon = shared;
  const client = await connectedClient({ home: daemon.home, session: "s1" });
  const work = await client.delegation.start({
    goal: "Look at three files",
    items: ["a.ts", "b.ts", "c.ts"],
    context: "the parser is new",
    role: "reviewer",
    model: "m-1",
    toolsets: ["read"],
  });
  await client.delegation.progress({
    delegation: work.id,
    items: [{ index: 2, status: "completed", summary: "fine", durationMs: 61_000, apiCalls: 4 }],
  });
  await daemon.kill();
  await daemon.start();
  await client.delegation.finish({
    delegation: work.id,
    items: [
      { index: 0, status: "interrupted", summary: "read half of it" },
      { index: 1, status: "failed", error: "no such file" },
    ],
  });
  const { notices } = await client.notifications.claim({ consumer: "c", kinds: ["delegation.finished"] });
  const text = notices[0]?.text ?? "";
  const lines = text.split("\n").map((line) => line.replace(/^ {2}\| /, ""));
  expect(lines[0]).toBe(
    `[Holdfast notice ${notices[0]?.id}] Delegation ${work.id} is finished: Look at three files`,
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      "context: the parser is new",
      "role: reviewer",
      "model: m-1",
      "toolsets: read",
      "⚠ 0. a.ts (interrupted)",
      "as far as it got: read half of it",
      "✗ 1. b.ts (failed)",
      "error: no such file",
      "✓ 2. c.ts (completed, 61 s, 4 API calls)",
      "fine",
    ]),
  );
  expect(notices[0]?.owner.session).toBe("s1");
  await expect(client.delegation.finish({ delegation: work.id })).rejects.toMatchObject({
    code: "DELEGATION_OVER",
  });
});

test("a batch that failed before any result says so; a cancelled one too; one whose worker died is told as lost", async () => {
  const daemon = await openDaemonHome();
  const { home } = daemon;
  const client = await connectedClient({ home, session: "s1" });
  const failed = await client.delegation.start({ goal: "one" });
  await client.delegation.finish({ delegation: failed.id, error: "no model answered" });
  const cancelled = await client.delegation.start({ goal: "two" });
  await client.delegation.cancel({ delegation: cancelled.id, reason: "not needed" });
  const child = spawn("sleep", ["1000"]);
  await once(child, "spawn");
  const lost = await client.delegation.start({ goal: "three", pid: child.pid ?? 0 });
  expect((await client.delegation.list({ states: ["running"] })).delegations.map(({ id }) => id)).toEqual([
    lost.id,
  ]);
  child.kill("SIGKILL");
  await once(child, "exit");
  const texts = async (): Promise<string[]> =>
    (await client.notifications.list({ kinds: ["delegation.finished"] })).notices.map(({ text }) => text);
  await expect.poll(texts, { timeout: 20_000 }).toHaveLength(3);
  const [one, two, three] = await texts();
  expect(one).toContain("error: no model answered");
  expect(one).toContain("no item has a result");
  expect(two).toContain(`Delegation ${cancelled.id} is cancelled: two`);
  expect(two).toContain("error: not needed");
  expect(three).toContain(`Delegation ${lost.id} is lost: three`);
  expect(three).toContain("is gone");
});
