// kill -9 of keeper and launcher together: the end is reported as lost, never as 0; what is left of the tree is found and
// stopped, and nobody else is touched.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readRunDirectory, runsDirectory, scanRuns, type StartedRun } from "../../src/keeper/index.ts";
import { fixturesDirectory } from "../support/compile-fixture.ts";
import { copyWithoutEnd, pointAtProcess, replaceLine } from "../support/copied-run.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import { isAlive, killNow } from "../support/process-facts.ts";
import { startUnwatched } from "../support/unwatched-run.ts";

/** Both at once: the launcher is stopped first, so that it cannot see the keeper fall. */
async function killBoth(keeper: KeeperHome, runs: readonly StartedRun[]): Promise<void> {
  const launcherPid = keeper.launcherPid();
  process.kill(launcherPid, "SIGSTOP");
  for (const run of runs) await killNow(run.keeperPid);
  await killNow(launcherPid);
}

async function startScattered(
  keeper: KeeperHome,
  cgroup: "auto" | "off",
): Promise<{ run: StartedRun; pids: number[] }> {
  const script = join(fixturesDirectory, "scatter_descendants.sh");
  const run = await startUnwatched(keeper, { argv: ["/bin/sh", script, "3"], cgroup });
  const kept = keeper.kept(run.id);
  await outputContains(kept, "scattered");
  await outputContains(kept, "\n");
  const output = (await collectOutput(kept, { follow: false })).toString();
  kept.close();
  const pids = output.trim().split(" ").slice(1).map(Number);
  expect(pids.filter(isAlive)).toHaveLength(3);
  return { run, pids };
}

function startBystander(env: Record<string, string> = {}): number {
  const child = spawn("sleep", ["300"], {
    detached: true,
    stdio: "ignore",
    env: { PATH: "/usr/bin:/bin", ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid ?? 0;
}

test.for(["auto", "off"] as const)(
  "with cgroup %s, a lost run says so, its scattered descendants are stopped, and strangers live",
  async (cgroup) => {
    const keeper = await openKeeperHome();
    const { run, pids } = await startScattered(keeper, cgroup);
    const other = await startScattered(keeper, cgroup);
    const bystander = startBystander();
    const { cgroup: cgroupPath } = (await readRunDirectory(run.directory)).spec;
    expect(cgroup === "off" && cgroupPath !== undefined).toBe(false);
    await killBoth(keeper, [run]);
    expect((await scanRuns(keeper.binary, runsDirectory(keeper.home))).get(run.id)).toBe("unkept");

    expect(await keeper.launcher.recover(run.id)).toBe("ended");
    const { exit } = await readRunDirectory(run.directory);
    expect(exit?.exit.kind).toBe("lost");
    expect(exit?.descendants).toBeGreaterThanOrEqual(4);
    const kept = keeper.kept(run.id);
    expect((await kept.wait()).exit.kind).toBe("lost");
    kept.close();
    expect([run.pid, ...pids].filter(isAlive)).toEqual([]);
    expect(cgroupPath !== undefined && existsSync(cgroupPath)).toBe(false);

    expect(isAlive(bystander)).toBe(true);
    expect([other.run.pid, ...other.pids].filter((pid) => !isAlive(pid))).toEqual([]);
    expect(await keeper.launcher.recover(run.id)).toBe("ended");
    expect((await scanRuns(keeper.binary, runsDirectory(keeper.home))).get(run.id)).toBe("ended");
  },
);

test("a child that exited with 0 unseen is lost, not 0, and its output is kept", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("echo before; read line; exit 0", { stdin: "open" });
  const kept = keeper.kept(run.id);
  await outputContains(kept, "before\n");
  await killBoth(keeper, [run]); // the last holders of its stdin: it reads the end and exits
  await expect.poll(() => isAlive(run.pid), { interval: 5 }).toBe(false);
  const record = await kept.wait();
  expect(record.exit.kind).toBe("lost");
  expect((await collectOutput(kept)).toString()).toBe("before\n");
  kept.close();
});

test("a process of another home whose run has the same id is a stranger", async () => {
  const [mine, theirs] = [await openKeeperHome(), await openKeeperHome()];
  const request = { id: "same", argv: ["/bin/sleep", "300"], cgroup: "off" } as const;
  const [run, stranger] = [await mine.start(request), await theirs.start(request)];
  await killBoth(mine, [run]);
  expect(await mine.launcher.recover("same")).toBe("ended");
  expect(isAlive(run.pid)).toBe(false);
  expect(isAlive(stranger.pid)).toBe(true);
});

test("a process that only names the run in its environment is found, one that names a longer id is not", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/sleep", "300"], cgroup: "off" });
  const marked = startBystander({ HOLDFAST_RUN: run.directory });
  const longer = startBystander({ HOLDFAST_RUN: `${run.directory}x` });
  const elsewhere = startBystander({ HOLDFAST_RUN: `/nowhere/runs/${run.id}` });
  await killBoth(keeper, [run]);
  expect(await keeper.launcher.recover(run.id)).toBe("ended");
  expect([run.pid, marked, longer, elsewhere].map(isAlive)).toEqual([false, false, true, true]);
});

test("many lost runs are recovered at once, each on its own", async () => {
  const keeper = await openKeeperHome();
  const runs = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      keeper.shell("sleep 300", { cgroup: index % 2 ? "off" : "auto" }),
    ),
  );
  await killBoth(keeper, runs);
  const outcomes = await Promise.all(runs.map((run) => keeper.launcher.recover(run.id)));
  expect(new Set(outcomes)).toEqual(new Set(["ended"]));
  for (const run of runs) {
    expect(isAlive(run.pid)).toBe(false);
    expect((await readRunDirectory(run.directory)).exit?.exit.kind).toBe("lost");
  }
});

test("a run from before this boot is ended as lost without a look at any pid", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("exit 3");
  await run.ended;
  // Until then its socket is in the directory, which cannot be copied.
  await expect.poll(async () => (await keeper.launcher.status()).held).toBe(0);
  const bystander = startBystander();
  const directory = copyWithoutEnd({ home: keeper.home, from: run.id, to: "copied" });
  pointAtProcess(directory, bystander);
  replaceLine(directory, "spec", "boot", "00000000-0000-0000-0000-000000000000");
  expect((await scanRuns(keeper.binary, runsDirectory(keeper.home))).get("copied")).toBe("earlier-boot");
  expect(await keeper.launcher.recover("copied")).toBe("ended");
  expect((await readRunDirectory(directory)).exit?.exit.kind).toBe("lost");
  expect(isAlive(bystander)).toBe(true);
});
