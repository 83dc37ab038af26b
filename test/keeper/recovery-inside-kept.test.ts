// A daemon or launcher started from inside a kept process does not fall with that process's tree, and has none of its limits.
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import {
  installBinary,
  KeeperConnection,
  KeptProcess,
  Launcher,
  connectUnixSocket,
  type StartedRun,
} from "../../src/keeper/index.ts";
import { fixturesDirectory } from "../support/compile-fixture.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import {
  isAlive,
  keeperPidOf,
  killNow,
  launcherPidOf,
  procFile,
  successorOf,
} from "../support/process-facts.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

/** What a kept process may be given and nothing outside may have. */
const unusual = {
  umask: 0o027,
  nice: 5,
  rlimits: { nofile: { soft: 200, hard: 300 }, core: { soft: 0, hard: 0 } },
} as const;

/** The numbers that a fixture prints after `word`. */
async function numbersAfter(keeper: KeeperHome, run: StartedRun, word: string): Promise<number[]> {
  const kept = keeper.kept(run.id);
  await outputContains(kept, " .\n");
  const line = new RegExp(`^${word} ([\\d ]+) \\.$`, "m").exec(
    (await collectOutput(kept, { follow: false })).toString(),
  );
  kept.close();
  return (line?.[1] ?? "").split(" ").map(Number);
}

interface Inside {
  readonly outer: StartedRun;
  readonly innerHome: string;
  readonly launcherPid: number;
  readonly keeperPid: number;
  readonly sleeperPid: number;
}

/** In the way everybody would: with a launcher, so that nothing of the run is left in the system either. */
async function endInner(home: string, binary: string): Promise<void> {
  const launcher = await Launcher.open({ home, binary, environment: {} });
  const kept = new KeptProcess(launcher.run("inner"));
  await kept.stop({ graceMs: 0 });
  kept.close();
  await launcher.close();
  await killNow(launcherPidOf(home) ?? 0);
}

async function openInside(keeper: KeeperHome, cgroup: "auto" | "off"): Promise<Inside> {
  const innerHome = newTestHome();
  const binary = await installBinary(innerHome);
  const program = join(fixturesDirectory, "recovery-launcher-inside.ts");
  const outer = await keeper.start({
    argv: [process.execPath, program, innerHome, binary],
    mode: "merged",
    stdin: "open",
    cgroup,
    ...unusual,
  });
  const [launcherPid = 0, keeperPid = 0, sleeperPid = 0] = await numbersAfter(keeper, outer, "inside");
  onTestFinished(async () => {
    // First the one who would start another launcher.
    if (isAlive(outer.pid)) await killNow(outer.pid);
    await endInner(innerHome, binary);
  });
  return { outer, innerHome, launcherPid, keeperPid, sleeperPid };
}

async function stopRun(keeper: KeeperHome, run: StartedRun): Promise<void> {
  const kept = keeper.kept(run.id);
  const { left } = await kept.stop({ graceMs: 0 });
  expect(left).toBe(0);
  expect(isAlive(run.pid)).toBe(false);
  kept.close();
}

/** Fields of /proc/PID that a parent hands down. */
function inheritance(pid: number): Record<string, string | undefined> {
  const stat = procFile(pid, "stat");
  return {
    limits: procFile(pid, "limits"),
    umask: /^Umask:.*$/m.exec(procFile(pid, "status"))?.[0],
    nice: stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16],
    cgroup: procFile(pid, "cgroup"),
    oom: procFile(pid, "oom_score_adj"),
    environment: procFile(pid, "environ"),
  };
}

test.for(["auto", "off"] as const)(
  "with cgroup %s, a launcher opened from inside a kept process outlives it and inherits nothing of it",
  async (cgroup) => {
    const keeper = await openKeeperHome();
    const inside = await openInside(keeper, cgroup);
    expect(inside.launcherPid).toBe(launcherPidOf(inside.innerHome));
    expect(procFile(inside.outer.pid, "limits")).toMatch(/Max open files +\d+ +300 /);
    expect(inheritance(inside.launcherPid)).toEqual(inheritance(keeper.launcherPid()));
    await stopRun(keeper, inside.outer);
    expect([inside.launcherPid, inside.keeperPid, inside.sleeperPid].map(isAlive)).toEqual([
      true,
      true,
      true,
    ]);
  },
);

test("what an inside launcher started outlives the outer process also after that launcher died", async () => {
  const keeper = await openKeeperHome();
  const inside = await openInside(keeper, "auto");
  await killNow(inside.launcherPid);
  await stopRun(keeper, inside.outer);
  expect([inside.keeperPid, inside.sleeperPid].map(isAlive)).toEqual([true, true]);
});

test("a program started outside through the keeper has the keeper's own limits and no mark of the run", async () => {
  const keeper = await openKeeperHome();
  const outer = await keeper.start({ argv: ["/bin/sleep", "300"], ...unusual });
  const path = join(testDirectory(), "outside");
  const connection = await KeeperConnection.open(await connectUnixSocket(outer.directory, "sock"));
  const pid = await connection.outside({
    cwd: "/tmp",
    argv: ["/bin/sh", "-c", `(umask; ulimit -n; pwd; echo "run $HOLDFAST_RUN") > ${path}; exec sleep 300`],
    env: { HOLDFAST_RUN: outer.directory },
  });
  connection.close();
  onTestFinished(async () => {
    if (isAlive(pid)) await killNow(pid);
  });
  await expect.poll(() => procFile(pid, "comm"), { interval: 5 }).toBe("sleep\n");
  const hardLimit = /Max open files +\d+ +(\d+)/.exec(procFile(outer.keeperPid, "limits"))?.[1];
  expect(readFileSync(path, "utf8")).toBe(`0077\n${hardLimit}\n/tmp\nrun \n`);
  expect(procFile(pid, "cgroup")).toBe(procFile(outer.keeperPid, "cgroup"));
  await stopRun(keeper, outer);
  expect(isAlive(pid)).toBe(true);
});

async function startWithDaemon(
  keeper: KeeperHome,
  cgroup: "auto" | "off",
): Promise<{ run: StartedRun; spared: number[]; sibling: number }> {
  const program = join(fixturesDirectory, "recovery-leave-tree.ts");
  const script = `sleep 301 & echo "sibling $!"; "$0" "$1"`;
  const run = await keeper.start({
    argv: ["/bin/sh", "-c", script, process.execPath, program],
    mode: "merged",
    cgroup,
  });
  const spared = await numbersAfter(keeper, run, "left");
  onTestFinished(async () => {
    for (const pid of spared) if (isAlive(pid)) await killNow(pid);
  });
  const kept = keeper.kept(run.id);
  const sibling = /sibling (\d+)/.exec((await collectOutput(kept, { follow: false })).toString())?.[1];
  kept.close();
  expect(spared.map(isAlive)).toEqual([true, true]);
  return { run, spared, sibling: Number(sibling) };
}

test.for(["auto", "off"] as const)(
  "with cgroup %s, a daemon that left the tree survives its stop, with what it started, and its siblings do not",
  async (cgroup) => {
    const keeper = await openKeeperHome();
    const { run, spared, sibling } = await startWithDaemon(keeper, cgroup);
    expect(procFile(spared[0] ?? 0, "cgroup")).toBe(procFile(run.keeperPid, "cgroup"));
    await stopRun(keeper, run);
    expect([...spared, sibling].map(isAlive)).toEqual([true, true, false]);
  },
);

test.for(["auto", "off"] as const)(
  "with cgroup %s, a daemon that left the tree is spared by a successor as well",
  async (cgroup) => {
    const keeper = await openKeeperHome();
    const { run, spared, sibling } = await startWithDaemon(keeper, cgroup);
    await killNow(run.keeperPid);
    await successorOf(run.directory, run.keeperPid);
    await stopRun(keeper, run);
    expect([...spared, sibling].map(isAlive)).toEqual([true, true, false]);
  },
);

test("a daemon that left the tree is no remnant when keeper and launcher die together", async () => {
  const keeper = await openKeeperHome();
  const { run, spared, sibling } = await startWithDaemon(keeper, "off");
  process.kill(keeper.launcherPid(), "SIGSTOP");
  await killNow(keeperPidOf(run.directory));
  await killNow(keeper.launcherPid());
  expect(await keeper.launcher.recover(run.id)).toBe("ended");
  expect([...spared, sibling].map(isAlive)).toEqual([true, true, false]);
});
