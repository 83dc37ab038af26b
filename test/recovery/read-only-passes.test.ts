// A daemon that begins where nothing can be written comes back by itself when it can: no restart.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectedClient } from "../support/connected-client.ts";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { killNow, launcherPidOf } from "../support/process-facts.ts";
import { canMount, fillDisk, makeReadOnly, mountSmallDisk, remount } from "../support/small-disk.ts";
import { newTestHome } from "../support/test-home.ts";

async function becomes(daemon: DaemonHome, state: string): Promise<void> {
  const look = async (): Promise<unknown> => (await ask(daemon, "daemon.status", {})).state;
  await expect.poll(look, { timeout: 10_000 }).toBe(state);
}

function makeRoom(home: string): void {
  for (const name of readdirSync(home)) if (name.startsWith("filler-")) rmSync(join(home, name));
}

const answering = {
  command: "while read line; do echo got $line; test $line = end && exit 6; done",
  cwd: "/",
  stdin: "open",
} as const;

/** A full disk under a home with a process that ended and one that lives; of the third nobody has seen the end. */
async function leaveFullHome(leave: "kill" | "terminate") {
  const home = mountSmallDisk("16m");
  const daemon = await openDaemonHome({ home });
  const before = await runToEnd(daemon, "echo before; exit 5");
  const stays = await ask(daemon, "process.start", answering);
  const ends = await ask(daemon, "process.start", answering);
  await daemon[leave]();
  fillDisk(home);
  // Its end is recorded in its directory, where space is reserved.
  await killNow(ends.pid ?? 0);
  await daemon.start();
  return { home, daemon, before, stays, ends };
}

async function expectRecovered({ daemon, stays, ends }: Awaited<ReturnType<typeof leaveFullHome>>) {
  expect(await ask(daemon, "process.get", { id: ends.id })).toMatchObject({
    exit: { kind: "signaled", signal: "SIGKILL" },
  });
  await ask(daemon, "process.write", { id: stays.id, parts: [{ text: "end\n" }] });
  await ask(daemon, "process.wait", { ids: [stays.id] });
  expect(await ask(daemon, "process.get", { id: stays.id })).toMatchObject({ exit: { code: 6 } });
  await runToEnd(daemon, "exit 7");
  // And it was written down: the next daemon knows it.
  await daemon.kill();
  await daemon.start();
  expect((await ask(daemon, "process.list", {})).processes.map(({ exit }) => exit)).toMatchObject([
    { code: 7 },
    { signal: "SIGKILL" },
    { code: 6 },
    { code: 5 },
  ]);
}

test.skipIf(!canMount)(
  "on a full disk: reads until there is room, then recovers what is there, once, and takes starts again",
  async () => {
    const left = await leaveFullHome("terminate");
    const { daemon, ends, before } = left;
    expect(await ask(daemon, "daemon.status", {})).toMatchObject({
      state: "degraded",
      problems: expect.arrayContaining([expect.stringContaining("It can only be read")]) as string[],
    });
    expect((await ask(daemon, "process.output", { id: before })).text).toBe("before\n");
    expect(await ask(daemon, "process.get", { id: ends.id })).toMatchObject({ state: "running" });
    expect(await refused(daemon, "process.start", { command: "true", cwd: "/" })).toMatchObject({
      code: "STORE_READ_ONLY",
    });
    const waiting = ask(daemon, "process.wait", { ids: [ends.id], timeoutMs: 20_000 });
    makeRoom(left.home);
    await becomes(daemon, "running");
    expect(await waiting).toMatchObject({ outcome: "met" });
    expect((await ask(daemon, "daemon.status", {})).problems).toEqual([]);
    await expectRecovered(left);
  },
);

test.skipIf(!canMount)(
  "on a full disk where a killed daemon left its log: what cannot be written down at once is when there is room",
  async () => {
    const left = await leaveFullHome("kill");
    const { daemon, ends, before, home } = left;
    expect((await ask(daemon, "process.output", { id: before })).text).toBe("before\n");
    const state = async (): Promise<string> => (await ask(daemon, "process.get", { id: ends.id })).state;
    expect(await state()).toBe("running");
    makeRoom(home);
    await expect.poll(state, { timeout: 10_000 }).toBe("ended");
    await expectRecovered(left);
  },
);

test.skipIf(!canMount)("on a home that was read-only, too", async () => {
  const runtimeDirectory = newTestHome();
  vi.stubEnv("XDG_RUNTIME_DIR", runtimeDirectory);
  onTestFinished(() => void vi.unstubAllEnvs());
  const home = mountSmallDisk("16m");
  const daemon = await openDaemonHome({ home, environment: { XDG_RUNTIME_DIR: runtimeDirectory } });
  const kept = await runToEnd(daemon, "echo kept; exit 3");
  await daemon.terminate();
  await killNow(launcherPidOf(home) ?? 0);
  await makeReadOnly(home);
  await daemon.start();
  const client = await connectedClient({ home });
  expect(await client.daemon.status({})).toMatchObject({ state: "degraded" });
  remount(home, "rw");
  await expect.poll(async () => (await client.daemon.status({})).state, { timeout: 10_000 }).toBe("running");
  const started = await client.process.start({ command: "exit 4", cwd: "/" });
  await client.process.wait({ ids: [started.id] });
  const exits = (await client.process.list({})).processes.map(({ id, exit }) => ({ id, exit }));
  expect(exits).toMatchObject([
    { id: started.id, exit: { code: 4 } },
    { id: kept, exit: { code: 3 } },
  ]);
  // The test's own calls go to the home's socket.
  await daemon.terminate();
  await daemon.start();
});
