// The same locks through the API and the SDK: the owner is the process at the other end of the connection, as the kernel knows it.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acquireLock, listLocks, ownerOf } from "../../src/locks/index.ts";
import type { LockAcquired, LockList } from "../../src/protocol/locks.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openCliHome } from "../support/cli-home.ts";
import { fixturesDirectory } from "../support/compile-fixture.ts";
import { ask, refused } from "../support/daemon-calls.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { filesHolding } from "../support/files-holding.ts";
import { LineProcess } from "../support/line-process.ts";
import { newLockDirectory, startSleeper } from "../support/lock-owners.ts";
import { newTestHome } from "../support/test-home.ts";
import { daemonProgram } from "../support/programs.ts";

const self = ownerOf(process.pid);

interface LockDaemon {
  readonly daemon: DaemonHome;
  readonly directory: string;
}

async function openLockDaemon(): Promise<LockDaemon> {
  const directory = newLockDirectory();
  const environment = { HOLDFAST_LOCK_DIR: directory, HOLDFAST_LOG_LEVEL: "trace" };
  return { directory, daemon: await openDaemonHome({ environment }) };
}

interface Answer {
  readonly output?: LockAcquired;
  readonly error?: { readonly code: string; readonly details: Record<string, unknown> };
}

/** Another program with a client of its own. */
function startClient(home: string): {
  process: LineProcess;
  call(name: string, input: object): Promise<Answer>;
} {
  const program = new LineProcess([process.execPath, join(fixturesDirectory, "lock-client.ts"), home]);
  return {
    process: program,
    call: async (name, input) => {
      program.say(JSON.stringify({ name, input }));
      return JSON.parse((await program.next()) ?? "{}") as Answer; // the fixture's own line
    },
  };
}

/** Has the process asked the kernel to tell it of changes of this directory? */
function isWatching(pid: number, path: string): boolean {
  const inode = statSync(path).ino.toString(16);
  const folder = `/proc/${pid}/fdinfo`;
  return readdirSync(folder).some((name) => {
    try {
      return new RegExp(`^inotify .*\\bino:${inode} `, "m").test(readFileSync(join(folder, name), "utf8"));
    } catch {
      return false; // closed since
    }
  });
}

test("the peer owns what it acquires: again, refused to others, released", async () => {
  const { daemon, directory } = await openLockDaemon();
  const client = await connectedClient({ home: daemon.home });
  const lock = { scope: "s", identity: "token" };
  const acquired = await client.lock.acquire({ ...lock, meta: { a: "b" } });
  expect(acquired).toMatchObject({
    outcome: "acquired",
    replaced: null,
    lock: { owner: self, meta: { a: "b" } },
  });
  expect(await client.lock.acquire({ ...lock, meta: {} })).toMatchObject({
    outcome: "updated",
    lock: { meta: {} },
  });
  const other = startClient(daemon.home);
  expect(await other.call("lock.acquire", lock)).toMatchObject({
    error: { code: "LOCK_HELD", details: { lock: { owner: { pid: process.pid } } } },
  });
  expect(await other.call("lock.release", lock)).toMatchObject({ error: { code: "LOCK_NOT_OWNED" } });
  expect(await client.lock.list()).toEqual(await listLocks({ directory }));
  expect(await client.lock.release(lock)).toMatchObject({ released: [{ scope: "s" }] });
  expect(await client.lock.list({ scope: "s" })).toEqual({ directory, locks: [] });
  await expect(client.lock.release(lock)).rejects.toMatchObject({ code: "LOCK_NOT_OWNED" });
});

test("an identity is in no file of the daemon, whatever becomes of the request", async () => {
  const { daemon, directory } = await openLockDaemon();
  const identity = "very-secret-token";
  await ask(daemon, "lock.acquire", { scope: "s", identity, pid: startSleeper().pid });
  await refused(daemon, "lock.acquire", { scope: "s", identity });
  await refused(daemon, "lock.acquire", { scope: "not/plain", identity, pid: "very-secret" });
  await refused(daemon, "lock.release", { scope: "s", identity });
  expect(filesHolding(daemon.home, "very-secret") + filesHolding(directory, "very-secret")).toBe("");
});

test("when the peer has ended its lock can be had; --all releases all of one peer", async () => {
  const { daemon } = await openLockDaemon();
  const other = startClient(daemon.home);
  const lock = { scope: "s", identity: "token" };
  expect(await other.call("lock.acquire", lock)).toMatchObject({
    output: { outcome: "acquired", lock: { owner: { pid: other.process.pid } } },
  });
  await other.process.kill();
  const client = await connectedClient({ home: daemon.home });
  expect(await client.lock.acquire(lock)).toMatchObject({
    outcome: "taken_over",
    replaced: { state: "gone" },
  });
  await client.lock.acquire({ ...lock, identity: "second" });
  expect((await client.lock.release({ all: true })).released).toHaveLength(2);
});

test("a process of the same user may be named; one that is not there may not", async () => {
  const { daemon } = await openLockDaemon();
  const { pid } = startSleeper();
  const lock = { scope: "s", identity: "token" };
  expect(await ask(daemon, "lock.acquire", { ...lock, pid })).toMatchObject({ lock: { owner: { pid } } });
  expect(await refused(daemon, "lock.acquire", lock)).toMatchObject({ status: 409, code: "LOCK_HELD" });
  expect(await refused(daemon, "lock.acquire", { ...lock, pid: 4_194_304 })).toMatchObject({
    status: 403,
    code: "LOCK_OWNER_REFUSED",
    details: { reason: "gone" },
  });
  expect(await ask(daemon, "lock.release", { all: true, pid })).toMatchObject({
    released: [{ owner: { pid } }],
  });
});

test("the command line and the API have the same locks and say the same", async () => {
  const { daemon, directory } = await openLockDaemon();
  const cli = openCliHome();
  const environment = { HOLDFAST_LOCK_DIR: directory };
  const pid = startSleeper().pid;
  const args = ["lock", "acquire", "s", "token", "--pid", String(pid), "--meta", "a=b", "--json"];
  const byCli = await cli.json<LockAcquired>(args, { environment });
  const byApi = await ask(daemon, "lock.acquire", { scope: "s", identity: "token", pid });
  expect(byApi).toEqual({
    ...byCli,
    outcome: "updated",
    lock: { ...byCli.lock, updatedAt: byApi.lock.updatedAt },
  });
  const listed = await cli.json<LockList>(["lock", "list", "--json"], { environment });
  expect(listed).toEqual(await ask(daemon, "lock.list", {}));
});

test("a wait ends with the lock, and with a client that goes away nothing is taken", async () => {
  const { daemon, directory } = await openLockDaemon();
  const client = await connectedClient({ home: daemon.home });
  const lock = { scope: "s", identity: "token" };
  const sleeper = startSleeper();
  const held = await acquireLock({ ...lock, directory, owner: ownerOf(sleeper.pid) });
  const controller = new AbortController();
  const { pid } = startSleeper();
  const aborted = client.lock.acquire({ ...lock, pid, waitMs: 30_000 }, { signal: controller.signal });
  await expect.poll(() => isWatching(daemon.pid(), held.lock.path)).toBe(true);
  controller.abort(new Error("enough"));
  await expect(aborted).rejects.toThrowError("enough");
  await expect.poll(() => isWatching(daemon.pid(), held.lock.path)).toBe(false);
  const waiting = client.lock.acquire({ ...lock, waitMs: 30_000 });
  await sleeper.kill();
  expect(await waiting).toMatchObject({ outcome: "taken_over", lock: { owner: { pid: process.pid } } });
});

test("a wait outlives the daemon: the next one goes on with it", async () => {
  const { daemon, directory } = await openLockDaemon();
  const client = await connectedClient({ home: daemon.home });
  const lock = { scope: "s", identity: "token" };
  const sleeper = startSleeper();
  await acquireLock({ ...lock, directory, owner: ownerOf(sleeper.pid) });
  const waiting = client.lock.acquire({ ...lock, waitMs: 60_000 });
  await daemon.kill();
  await daemon.start();
  await sleeper.kill();
  expect(await waiting).toMatchObject({ outcome: "taken_over", lock: { owner: { pid: process.pid } } });
});

test("a peer in a PID namespace that the daemon cannot see is refused", async () => {
  const home = newTestHome();
  const daemon = new LineProcess(
    ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", process.execPath, daemonProgram],
    { environment: { HOLDFAST_HOME: home, HOLDFAST_LOCK_DIR: newLockDirectory() } },
  );
  onTestFinished(async () => await daemon.kill()); // with all that is in its namespace
  expect(await daemon.next()).toBe("ready");
  const client = await connectedClient({ home });
  const lock = { scope: "s", identity: "token" };
  await expect(client.lock.acquire(lock)).rejects.toMatchObject({
    code: "LOCK_OWNER_REFUSED",
    details: { reason: "foreign" },
  });
  expect(await client.lock.list()).toMatchObject({ locks: [] });
});
