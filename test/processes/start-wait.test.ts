// A start that waits: its answer carries the end, if that comes in time, and what it tells is not told again.
import { expect, test } from "vitest";
import type { Client } from "../../src/sdk/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

async function endStates(client: Client, id: string): Promise<string[]> {
  const { notices } = await client.notifications.list({ process: id });
  return notices.map(({ state }) => state);
}

async function running(client: Client): Promise<string[]> {
  const { processes } = await client.process.list({ states: ["running"] });
  return processes.map(({ id }) => id);
}

/** Ends when its standard input is closed, with this code. */
const untilClosed = (code: number) =>
  ({ command: `cat; exit ${code}`, cwd: "/", stdin: "open", notify: "end" }) as const;

test("the answer carries the end, or after so long a process that goes on", async () => {
  const { home } = await openDaemonHome({ environment: { HOLDFAST_WAIT_MAX_MS: "20000" } });
  const client = await connectedClient({ home });
  const failed = await client.process.start({ command: "echo out; exit 3", cwd: "/", waitMs: 15_000 });
  expect(failed).toMatchObject({
    created: true,
    state: "ended",
    exit: { kind: "exited", code: 3 },
    outputBytes: 4,
  });
  const killed = await client.process.start({ command: "kill -9 $$", cwd: "/", waitMs: 15_000 });
  expect(killed.exit).toMatchObject({ kind: "signaled", signal: "SIGKILL" });
  const nothing = await client.process.start({ command: ["/no/such/program"], cwd: "/", waitMs: 15_000 });
  expect(nothing.exit).toMatchObject({ kind: "spawn_failed" });
  const slow = await client.process.start({ ...untilClosed(4), waitMs: 50 });
  expect(slow).toMatchObject({ state: "running", exit: null, notes: [expect.any(String)] });
  await client.process.closeStdin({ id: slow.id });
  const { results } = await client.process.wait({ ids: [slow.id] });
  expect(results).toMatchObject([{ process: { exit: { code: 4 } } }]);
  const clamped = await client.process.start({ command: "true", cwd: "/", waitMs: 60_000 });
  expect(clamped.exit).toMatchObject({ code: 0 });
  expect(clamped.notes).toContainEqual(expect.stringContaining("waitMs was clamped to 20000"));
  for (const waitMs of [0, -1, 1.5])
    await expect(client.process.start({ command: "true", waitMs })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
});

test("an end in the answer is seen by its session; one that nobody was answered with is owed", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const start = { command: "exit 1", cwd: "/", notify: "end" } as const;
  const told = await client.process.start({ ...start, waitMs: 20_000 });
  expect(told).toMatchObject({ state: "ended", exit: { code: 1 } });
  await expect.poll(() => endStates(client, told.id)).toEqual(["seen"]);
  const person = await connectedClient({ home });
  const theirs = await person.process.start({ ...start, owner: { session: "s1" }, waitMs: 20_000 });
  expect(await endStates(client, theirs.id)).toEqual(["pending"]);
  const late = await client.process.start({ ...untilClosed(0), waitMs: 1 });
  expect(late.state).toBe("running");
  await client.process.closeStdin({ id: late.id });
  await expect.poll(() => endStates(client, late.id)).toEqual(["pending"]);
  // Whoever leaves before the answer has learned nothing.
  const leaving = new AbortController();
  const left = client.process.start({ ...untilClosed(0), waitMs: 20_000 }, { signal: leaving.signal });
  await expect.poll(async () => (await running(person)).length).toBe(1);
  const [id = ""] = await running(person);
  leaving.abort(new Error("enough"));
  await expect(left).rejects.toThrow("enough");
  await person.process.closeStdin({ id });
  await expect.poll(() => endStates(client, id)).toEqual(["pending"]);
});

test("an interrupt of its session, and a daemon that goes, answer it with what is known", async () => {
  const daemon = await openDaemonHome();
  const { home } = daemon;
  const client = await connectedClient({ home, session: "s1" });
  const person = await connectedClient({ home });
  const interrupted = client.process.start({ ...untilClosed(0), waitMs: 60_000 });
  const interrupt = async (): Promise<number> =>
    (await person.session.interrupt({ session: "s1" })).interrupted;
  await expect.poll(interrupt).toBe(1);
  expect(await interrupted).toMatchObject({ state: "running" });
  const stopped = client.process.start({ ...untilClosed(0), name: "kept", waitMs: 60_000 });
  await expect.poll(async () => (await running(person)).length).toBe(2);
  await person.daemon.stop({ drainMs: 0 });
  expect(await stopped).toMatchObject({ state: "running", name: "kept" });
  expect(await daemon.exited()).toBe(0);
});

test("asked again with its key, through the death of the daemon, it waits for the same process", async () => {
  const daemon = await openDaemonHome();
  const { home } = daemon;
  const client = await connectedClient({ home });
  const other = await connectedClient({ home });
  const waiting = client.process.start({ ...untilClosed(7), idempotencyKey: "once", waitMs: 60_000 });
  await expect.poll(async () => (await running(other)).length).toBe(1);
  const [id = ""] = await running(other);
  await daemon.kill();
  await daemon.start();
  await other.process.closeStdin({ id });
  expect(await waiting).toMatchObject({ id, created: false, exit: { kind: "exited", code: 7 } });
});
