// A working directory on a mount that never answers: the start fails in time, delays no other, and leaves nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runsDirectory, scanRuns } from "../../src/keeper/index.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { completeRequest, openKeeperHome, type KeeperHome } from "../support/keeper-home.ts";
import { findBusyProcesses } from "../support/leaks.ts";
import { freeze, isAlive, keeperPidOf, killNow, thaw } from "../support/process-facts.ts";
import { testDirectory } from "../support/test-home.ts";

interface HungMount {
  readonly path: string;
  release(): Promise<void>;
}

async function hangMount(manner: "mute" | "polite"): Promise<HungMount> {
  const path = mkdtempSync(join(testDirectory(), "hung-"));
  const child = spawn(compileFixture("hang_mount"), [path, manner], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const release = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  onTestFinished(release);
  const [line] = (await Promise.race([once(child.stdout, "data"), exited])) as [unknown];
  expect(String(line)).toBe("mounted\n");
  return { path, release };
}

function cgroupsOf(id: string): string[] {
  const cgroup = /^0::(.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1] ?? "/";
  for (const root of ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]) {
    try {
      const names = readdirSync(join(root, cgroup));
      if (names.includes("cgroup.procs") && names.includes("cgroup.stat"))
        return names.filter((name) => name.includes(id));
    } catch {
      continue; // not mounted here
    }
  }
  return [];
}

function othersOf(keeper: KeeperHome): string[] {
  return findBusyProcesses(keeper.home)
    .filter((each) => each.why === "names the test directory" && each.pid !== keeper.launcherPid())
    .map((each) => `${each.pid} ${each.command}`);
}

const timeoutMs = 500;
/** For what must be seen, or done, while a start hangs. */
const longMs = 10_000;

test.for(["mute", "polite"] as const)(
  "a start on a %s hung mount times out, while others are not delayed and the launcher stays",
  async (manner) => {
    const keeper = await openKeeperHome();
    const mount = await hangMount(manner);
    const launcherPid = keeper.launcherPid();
    const start = { argv: ["/bin/sleep", "300"], cwd: mount.path };
    let isOver = false;
    const patient = keeper.launcher.start(completeRequest(start), { timeoutMs: 60_000 });
    void patient.finally(() => (isOver = true));
    for (let count = 0; count < 10; count++) {
      const run = await keeper.shell("exit 8");
      expect((await run.ended).exit).toEqual({ kind: "exited", code: 8 });
    }
    // All ten were there and gone, and the first one still hangs.
    expect(isOver).toBe(false);
    const request = completeRequest(start);
    const began = performance.now();
    const hung = keeper.launcher.start(request, { timeoutMs }).catch((error: unknown) => error);
    expect(await hung).toMatchObject({ code: "START_TIMEOUT" });
    expect(performance.now() - began).toBeGreaterThanOrEqual(timeoutMs);
    const status = async (): Promise<unknown> =>
      (await scanRuns(keeper.binary, runsDirectory(keeper.home))).get(request.id);
    await expect.poll(status).toBeOneOf([undefined, "abandoned"]);
    expect(keeper.launcherPid()).toBe(launcherPid);
    await keeper.launcher.ping();

    await mount.release();
    expect(await patient).toMatchObject({ kind: "failed", stage: "cwd" });
    await expect.poll(() => othersOf(keeper)).toEqual([]);
    await expect.poll(() => cgroupsOf(request.id)).toEqual([]);
    await expect.poll(() => readdirSync(runsDirectory(keeper.home))).not.toContain(request.id);
    await expect.poll(async () => (await keeper.launcher.status()).held).toBe(0);
  },
);

test("a keeper that is stopped in the middle of its start ends the start when it is let go on", async () => {
  const keeper = await openKeeperHome();
  const mount = await hangMount("mute");
  const request = completeRequest({ argv: ["/bin/sleep", "300"], cwd: mount.path });
  const hung = keeper.launcher.start(request, { timeoutMs: longMs }).catch((error: unknown) => error);
  const directory = keeper.directory(request.id);
  const statuses = () => scanRuns(keeper.binary, runsDirectory(keeper.home));
  await expect.poll(async () => (await statuses()).get(request.id), { interval: 5 }).toBe("live");
  const keeperPid = keeperPidOf(directory);
  await freeze(keeperPid);
  expect(await hung).toMatchObject({ code: "START_TIMEOUT" });
  await expect.poll(async () => (await statuses()).get(request.id), { interval: 5 }).toBe("abandoned");
  thaw(keeperPid);
  await expect.poll(() => isAlive(keeperPid), { interval: 5 }).toBe(false);
  await expect.poll(async () => (await statuses()).get(request.id)).toBeOneOf([undefined, "abandoned"]);
  await expect.poll(() => othersOf(keeper)).toEqual([]);
});

test("a keeper killed in the middle of its start leaves no child that could run later", async () => {
  const keeper = await openKeeperHome();
  const mount = await hangMount("mute");
  const request = completeRequest({ argv: ["/bin/sleep", "300"], cwd: mount.path });
  const hung = keeper.launcher.start(request, { timeoutMs: longMs }).catch((error: unknown) => error);
  const statuses = () => scanRuns(keeper.binary, runsDirectory(keeper.home));
  await expect.poll(async () => (await statuses()).get(request.id), { interval: 5 }).toBe("live");
  await killNow(keeperPidOf(keeper.directory(request.id)));
  expect(await hung).toMatchObject({ code: "START_TIMEOUT" });
  await expect.poll(() => othersOf(keeper)).toEqual([]);
  await expect.poll(async () => (await statuses()).get(request.id)).toBeOneOf([undefined, "abandoned"]);
});
