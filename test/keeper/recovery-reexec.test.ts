// A keeper becomes a newer build in place: same pid, same child, and nobody who uses the run notices more than a reconnect.
import { chmodSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StartedRun } from "../../src/keeper/index.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import { makeNextBuild, nextBuildHash } from "../support/next-build.ts";
import { isAlive, keeperPidOf, killNow, successorOf } from "../support/process-facts.ts";
import { testDirectory } from "../support/test-home.ts";

function buildOf(run: StartedRun): string | undefined {
  return /^build (\w+)/m.exec(readFileSync(join(run.directory, "keeper"), "utf8"))?.[1];
}

async function startTalker(keeper: KeeperHome, mode: "split" | "pty"): Promise<StartedRun> {
  const program = compileFixture("talk_in_sequence");
  const run = await keeper.start({ argv: [program, "chatty"], mode, stdin: "open" });
  const kept = keeper.kept(run.id);
  await outputContains(kept, "ready\n");
  kept.close();
  return run;
}

async function untilRunning(run: StartedRun, binary: string): Promise<void> {
  await expect.poll(() => readlinkSync(`/proc/${run.keeperPid}/exe`), { interval: 5 }).toBe(binary);
}

test.for(["split", "pty"] as const)(
  "a keeper in %s mode goes to another build and back under a flow of input and output",
  async (mode) => {
    const keeper = await openKeeperHome();
    const next = makeNextBuild(keeper.binary);
    const run = await startTalker(keeper, mode);
    const kept = keeper.kept(run.id);
    const output = collectOutput(kept);
    const builds: (string | undefined)[] = [buildOf(run)];
    let line = 0;
    for (const binary of [next, keeper.binary, next]) {
      const writing = (async () => {
        for (let count = 0; count < 50; count++) await kept.write(`${line++}\n`);
      })();
      await keeper.kept(run.id).reexec(binary);
      await Promise.all([writing, untilRunning(run, binary)]);
      await outputContains(kept, `i ${line - 1}\n`);
      builds.push(buildOf(run));
    }
    expect(builds).toEqual([builds[0], nextBuildHash, builds[0], nextBuildHash]);
    expect(keeperPidOf(run.directory)).toBe(run.keeperPid);
    await kept.write("end 55\n");
    const record = await run.ended;
    expect(record.exit).toEqual({ kind: "exited", code: 55 });
    expect(record.usage).toBeDefined(); // only a parent can know it
    const text = (await output).toString();
    const numbers = (prefix: string): number[] =>
      text
        .split("\n")
        .filter((each) => each.startsWith(prefix))
        .map((each) => Number(each.slice(2)));
    expect(numbers("i ")).toEqual(Array.from({ length: line }, (_, index) => index));
    expect(numbers("o ")).toEqual(numbers("o ").map((_, index) => index));
    kept.close();
  },
);

test("after a re-exec the tree is still known: resize, signal and stop reach it, descendants included", async () => {
  const keeper = await openKeeperHome();
  const next = makeNextBuild(keeper.binary);
  const script =
    "setsid sleep 301 >/dev/null 2>&1 & echo left $!; trap 'stty size' WINCH; while :; do sleep 0.02; done";
  const run = await keeper.shell(script, { mode: "pty", cgroup: "off" });
  const kept = keeper.kept(run.id);
  await outputContains(kept, "\n");
  const left = Number(/left (\d+)/.exec((await collectOutput(kept, { follow: false })).toString())?.[1]);
  await kept.reexec(next);
  await untilRunning(run, next);
  await kept.resize(101, 33);
  await outputContains(kept, "33 101");
  expect(await kept.stop({ graceMs: 0 })).toMatchObject({ outcome: "killed", left: 0 });
  expect([run.pid, left].map(isAlive)).toEqual([false, false]);
  kept.close();
});

test("a re-executed keeper that is killed has a successor", async () => {
  const keeper = await openKeeperHome();
  const next = makeNextBuild(keeper.binary);
  const run = await startTalker(keeper, "split");
  const kept = keeper.kept(run.id);
  await kept.reexec(next);
  await untilRunning(run, next);
  await kept.write("one\n");
  await killNow(run.keeperPid);
  await successorOf(run.directory, run.keeperPid);
  await kept.write("two\n");
  await kept.write("end 12\n");
  expect((await kept.wait()).exit).toEqual({ kind: "exited", code: 12 });
  const text = (await collectOutput(kept)).toString();
  expect(text.match(/^i .*$/gm)).toEqual(["i one", "i two"]);
  kept.close();
});

test("a re-executed keeper finds a launcher that was replaced meanwhile", async () => {
  const keeper = await openKeeperHome();
  const next = makeNextBuild(keeper.binary);
  const run = await startTalker(keeper, "split");
  const kept = keeper.kept(run.id);
  await kept.reexec(next);
  await untilRunning(run, next);
  await killNow(keeper.launcherPid());
  await keeper.launcher.ping();
  await expect.poll(async () => (await keeper.launcher.status()).held, { interval: 10 }).toBe(1);
  await kept.write("end 13\n");
  expect((await kept.wait()).exit).toEqual({ kind: "exited", code: 13 });
  kept.close();
});

test("the end of a child that falls into the re-exec is not missed", async () => {
  const keeper = await openKeeperHome();
  const next = makeNextBuild(keeper.binary);
  await Promise.all(
    Array.from({ length: 20 }, async (_, code) => {
      const run = await keeper.shell(`read line; echo last words; exit ${code}`, { stdin: "open" });
      const kept = keeper.kept(run.id);
      const other = keeper.kept(run.id);
      await Promise.all([kept.state(), other.state()]);
      await Promise.all([
        kept.write("go\n"),
        other.reexec(next).catch(() => undefined), // it may have ended first
      ]);
      expect((await run.ended).exit).toEqual({ kind: "exited", code });
      expect((await collectOutput(kept)).toString()).toBe("last words\n");
      kept.close();
      other.close();
    }),
  );
});

test("a binary that cannot be run is refused, and the keeper goes on as it was", async () => {
  const keeper = await openKeeperHome();
  const run = await startTalker(keeper, "split");
  const kept = keeper.kept(run.id);
  await expect(kept.reexec("/nowhere/keeper")).rejects.toMatchObject({ code: "SYSTEM_ERROR" });
  const text = join(testDirectory(), "no-program");
  writeFileSync(text, "neither a program nor a script\n");
  chmodSync(text, 0o700);
  await kept.reexec(text).catch(() => undefined); // whichever way it says so
  await kept.write("still here\n");
  await outputContains(kept, "i still here\n");
  expect(keeperPidOf(run.directory)).toBe(run.keeperPid);
  await kept.write("end 3\n");
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 3 });
  kept.close();
});

test("a successor that becomes a newer build still learns the end and finds what left the tree, with a launcher that was killed", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("setsid sleep 300 & read line; exit 7", { stdin: "open", cgroup: "off" });
  await using kept = keeper.kept(run.id);
  await killNow(run.keeperPid);
  await successorOf(run.directory, run.keeperPid);
  await killNow(keeper.launcherPid());
  await expect.poll(async () => (await keeper.launcher.status()).held, { timeout: 10_000 }).toBe(1);
  await kept.reexec(makeNextBuild(keeper.binary));
  await kept.write("go\n");
  expect((await kept.wait()).exit).toEqual({ kind: "exited", code: 7 });
  expect((await kept.state()).descendants).toBe(1);
  expect(await kept.stop({ graceMs: 0 })).toMatchObject({ killed: 1, left: 0 });
});
