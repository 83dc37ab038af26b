// A process number that belongs to a stranger by now: no recovery, no stop and no wake-up call reaches that stranger.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  KeeperConnection,
  Launcher,
  openAttachCommand,
  readRunDirectory,
  type StartedRun,
} from "../../src/keeper/index.ts";
import { openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import { freeze, isAlive, keeperPidOf, killNow, successorOf, thaw } from "../support/process-facts.ts";
import { expectUntouched, giveToStranger, withItsNumber } from "../support/stranger.ts";
import { startUnwatched } from "../support/unwatched-run.ts";

async function killBoth(keeper: KeeperHome, run: StartedRun): Promise<void> {
  await freeze(keeper.launcherPid());
  await killNow(run.keeperPid);
  await killNow(keeper.launcherPid());
}

/** A process that holds the run's lock and is no keeper. */
async function holdLock(keeper: KeeperHome, directory: string): Promise<void> {
  const script = 'exec 9<>"$1"; "$0" lock 9 && echo held; read line';
  const child = spawn("/bin/sh", ["-c", script, keeper.binary, join(directory, "keeper")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  expect(line.toString()).toBe("held\n");
}

test.for(["auto", "off"] as const)(
  "with cgroup %s, recovery does not signal a stranger that has the number of the dead child",
  (cgroup) =>
    withItsNumber(async () => {
      const keeper = await openKeeperHome();
      // By nobody who waits for its end: they would have it recovered at once.
      const run = await startUnwatched(keeper, { argv: ["/bin/sleep", "300"], cgroup });
      await killBoth(keeper, run);
      await killNow(run.pid);
      const stranger = await giveToStranger(run.pid);
      expect(await keeper.launcher.recover(run.id)).toBe("ended");
      expect((await readRunDirectory(run.directory)).exit).toMatchObject({
        exit: { kind: "lost" },
        descendants: 0,
      });
      expectUntouched(stranger);
    })(),
);

test(
  "a successor stops what is left of the tree and not the stranger that has the child's number",
  withItsNumber(async () => {
    const keeper = await openKeeperHome();
    const run = await keeper.shell("setsid sleep 300 >/dev/null 2>&1 & echo left $!; read line", {
      stdin: "open",
      cgroup: "off",
    });
    const kept = keeper.kept(run.id);
    await outputContains(kept, "\n");
    await kept.write("end\n");
    expect((await run.ended).descendants).toBe(1);
    await killNow(run.keeperPid);
    const successor = await successorOf(run.directory, run.keeperPid);
    const stranger = await giveToStranger(run.pid);
    await expect(kept.signal(15)).rejects.toMatchObject({ code: "PROCESS_ENDED" });
    expect(await kept.stop({ graceMs: 30_000 })).toMatchObject({ outcome: "ended", left: 0 });
    await expect.poll(() => isAlive(successor)).toBe(false);
    expectUntouched(stranger);
    kept.close();
  }),
);

test(
  "a stale record of a dead keeper calls no stranger, whoever holds the lock",
  withItsNumber(async () => {
    const keeper = await openKeeperHome();
    const run = await startUnwatched(keeper, { argv: ["/bin/sleep", "300"] });
    await killBoth(keeper, run);
    await killNow(run.pid);
    expect(keeperPidOf(run.directory)).toBe(run.keeperPid);
    const stranger = await giveToStranger(run.keeperPid);
    await holdLock(keeper, run.directory);
    // SIGUSR1, which a keeper takes as a call, would end the stranger.
    expect(await keeper.launcher.recover(run.id)).toBe("kept");
    const attached = KeeperConnection.open(openAttachCommand([keeper.binary, "attach", run.directory]));
    await expect(attached).rejects.toMatchObject({ code: "KEEPER_GONE" });
    // A new launcher calls every keeper of its home.
    await killNow(keeper.launcherPid());
    await keeper.launcher.ping();
    expectUntouched(stranger);
  }),
);

test(
  "a stranger that has the number of a dead launcher is not ended in its place",
  withItsNumber(async () => {
    const keeper = await openKeeperHome();
    const old = keeper.launcherPid();
    await keeper.launcher.close();
    await killNow(old);
    const stranger = await giveToStranger(old);
    const launcher = await Launcher.open({ home: keeper.home, binary: keeper.binary, environment: {} });
    expect(keeper.launcherPid()).not.toBe(old);
    await freeze(keeper.launcherPid());
    await expect(
      launcher.start({ id: "hung", argv: ["/bin/true"], env: {}, cwd: "/" }, { timeoutMs: 200 }),
    ).rejects.toMatchObject({ code: "START_TIMEOUT" });
    await launcher.ping();
    await launcher.close();
    expectUntouched(stranger);
  }),
);

test(
  "a keeper's pid that a stopped launcher has not yet missed is not mistaken for another's",
  withItsNumber(async () => {
    const keeper = await openKeeperHome();
    const run = await keeper.shell("exit 3");
    await run.ended;
    await expect.poll(() => isAlive(run.keeperPid)).toBe(false);
    const other = await keeper.start({ argv: ["/bin/sleep", "300"] });
    const stranger = await giveToStranger(run.keeperPid);
    await freeze(keeper.launcherPid());
    await killNow(other.keeperPid);
    thaw(keeper.launcherPid());
    const kept = keeper.kept(other.id);
    await kept.stop({ graceMs: 0 });
    expect((await kept.wait()).exit).toEqual({ kind: "signaled", signal: 9, coreDumped: false });
    expect((await readRunDirectory(run.directory)).exit?.exit).toEqual({ kind: "exited", code: 3 });
    expectUntouched(stranger);
    kept.close();
  }),
);
