// The launcher dies, is stopped or is started twenty times over: starts go on, keepers find the new one, and successors come
// from it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { installBinary, runsDirectory } from "../../src/keeper/index.ts";
import { isRunning } from "../../src/util/process-identity.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import { findBusyProcesses } from "../support/leaks.ts";
import {
  freeze,
  keeperPidOf,
  killNow,
  launcherPidOf,
  procFile,
  successorOf,
  thaw,
  untilDead,
} from "../support/process-facts.ts";
import { fixtureProgram } from "../support/programs.ts";
import { newTestHome } from "../support/test-home.ts";

const isKernelTellingExits = hasPidfdExit(readFileSync("/proc/sys/kernel/osrelease", "utf8"));

/** PIDFD_INFO_EXIT came with Linux 6.15. */
function hasPidfdExit(release: string): boolean {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major > 6 || (major === 6 && minor >= 15);
}

/** The end of a child whose parents are all dead: the kernel tells it, or nobody knows. */
function seenByKernelOnly(code: number): unknown {
  const lost: unknown = expect.objectContaining({ kind: "lost" });
  return isKernelTellingExits ? { kind: "exited", code } : lost;
}

async function replaceLauncher(keeper: KeeperHome): Promise<number> {
  const old = keeper.launcherPid();
  await killNow(old);
  await keeper.launcher.ping();
  const pid = keeper.launcherPid();
  expect(pid).not.toBe(old);
  return pid;
}

async function untilHeld(keeper: KeeperHome, count: number): Promise<void> {
  await expect.poll(async () => (await keeper.launcher.status()).held, { interval: 10 }).toBe(count);
}

test("a launcher that dies while idle is replaced by the next start, and its spare directories go with it", async () => {
  const keeper = await openKeeperHome();
  const old = keeper.launcherPid();
  await expect.poll(async () => (await keeper.launcher.status()).spares).toBe(8);
  await killNow(old);
  const run = await keeper.shell("exit 5");
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 5 });
  expect(keeper.launcherPid()).not.toBe(old);
  const own = `.spare-${keeper.launcherPid()}-`;
  const others = (): string[] =>
    readdirSync(runsDirectory(keeper.home)).filter(
      (name) => name.startsWith(".spare-") && !name.startsWith(own),
    );
  // By the keepers that waited in them, when they notice.
  await expect.poll(others).toEqual([]);
});

test("a child that ends while neither keeper nor launcher can look has its true exit code", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("talk_in_sequence");
  for (const mode of ["split", "pty"] as const) {
    const run = await keeper.start({ argv: [program, "silent"], mode, stdin: "open" });
    const kept = keeper.kept(run.id);
    await outputContains(kept, "ready\n");
    await freeze(keeper.launcherPid());
    // The keeper is stopped first, so that the end of the child is nobody's to see.
    await freeze(run.keeperPid);
    const identity = {
      pid: run.pid,
      startTime: run.childStart,
      bootId: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
    };
    process.kill(run.pid, "SIGKILL");
    await expect.poll(() => isRunning(identity), { interval: 5 }).toBe(false);
    await killNow(run.keeperPid);
    thaw(keeper.launcherPid());
    const record = await kept.wait();
    expect(record.exit).toEqual({ kind: "signaled", signal: 9, coreDumped: false });
    expect((await collectOutput(kept)).toString()).toBe("ready\n");
    kept.close();
  }
});

test.for(["split", "pty"] as const)(
  "in %s mode, what a child writes and how it exits while no keeper lives is kept",
  async (mode) => {
    const keeper = await openKeeperHome();
    const script = "trap 'echo heard; exit 42' USR1; echo ready; while :; do sleep 0.01; done";
    const run = await keeper.shell(script, { mode });
    const kept = keeper.kept(run.id);
    await outputContains(kept, "ready");
    await freeze(keeper.launcherPid());
    await killNow(run.keeperPid);
    process.kill(run.pid, "SIGUSR1");
    await untilDead(run.pid);
    thaw(keeper.launcherPid());
    expect((await kept.wait()).exit).toEqual({ kind: "exited", code: 42 });
    const newline = mode === "pty" ? "\r\n" : "\n";
    expect((await collectOutput(kept)).toString()).toBe(`ready${newline}heard${newline}`);
    kept.close();
  },
);

test("keepers go on without a launcher and register with the new one", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("talk_in_sequence");
  const runs = await Promise.all(
    Array.from({ length: 6 }, () => keeper.start({ argv: [program, "chatty"], stdin: "open" })),
  );
  await killNow(keeper.launcherPid());
  const [first] = runs;
  const kept = keeper.kept(first?.id ?? "");
  await kept.write("no launcher\n");
  await outputContains(kept, "i no launcher\n");
  kept.close();
  await keeper.launcher.ping();
  await untilHeld(keeper, runs.length);
  for (const run of runs) expect(keeperPidOf(run.directory)).toBe(run.keeperPid);
});

test("a keeper whose launcher was replaced is succeeded by the new launcher, with the true exit code", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("talk_in_sequence");
  for (const mode of ["split", "pty"] as const) {
    const run = await keeper.start({ argv: [program, "chatty"], mode, stdin: "open" });
    const kept = keeper.kept(run.id);
    const output = collectOutput(kept);
    await outputContains(kept, "ready\n");
    const launcherPid = await replaceLauncher(keeper);
    await untilHeld(keeper, 1);
    await killNow(run.keeperPid);
    const successor = await successorOf(run.directory, run.keeperPid);
    expect(procFile(successor, "status")).toContain(`PPid:\t${launcherPid}\n`);
    await kept.write("after\n");
    await outputContains(kept, "i after\n");
    await kept.write("end 33\n");
    const { exit } = await kept.wait();
    expect(exit).toEqual(seenByKernelOnly(33));
    const numbers = (await output).toString().match(/(?<=^o )\d+$/gm) ?? [];
    expect(numbers.map(Number)).toEqual(numbers.map((_, index) => index));
    expect((await run.ended).exit).toEqual(exit);
    kept.close();
    await untilHeld(keeper, 0);
  }
});

test("a successor survives the death of the launcher that forked it, and so does the exit code", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("talk_in_sequence");
  const run = await keeper.start({ argv: [program, "silent"], stdin: "open" });
  await killNow(run.keeperPid);
  const successor = await successorOf(run.directory, run.keeperPid);
  await replaceLauncher(keeper);
  await untilHeld(keeper, 1);
  await killNow(successor);
  await successorOf(run.directory, successor);
  const kept = keeper.kept(run.id);
  await kept.write("end 21\n");
  const { exit } = await kept.wait();
  expect(exit).toEqual(seenByKernelOnly(21));
  kept.close();
});

test("20 programs that open the same home at once share one launcher", async () => {
  const home = newTestHome();
  const binary = await installBinary(home);
  const program = fixtureProgram("recovery-open-launcher");
  const opened = Array.from({ length: 20 }, () => {
    const child = spawn(process.execPath, [program, home, binary], {
      stdio: ["pipe", "pipe", "inherit"],
      env: {},
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, line: once(child.stdout, "data") as Promise<[Buffer]> };
  });
  const pids = new Set<string>();
  for (const { line } of opened) pids.add((await line)[0].toString().trim());
  expect([...pids]).toEqual([String(launcherPidOf(home))]);
  // Those that came too late may be about to leave; a spare keeper that was forked this moment looks like its launcher.
  const launchers = (): number[] =>
    findBusyProcesses(home)
      .filter((each) => each.command.includes(" launcher "))
      .map((each) => each.pid);
  await expect.poll(launchers).toEqual([launcherPidOf(home)]);
  await Promise.all(
    opened.map(async ({ child }) => {
      child.stdin.end();
      await once(child, "exit");
    }),
  );
  await killNow(Number([...pids][0]));
});
