// A start that is not answered in time fails with START_TIMEOUT, leaves nothing behind, and costs the launcher its life
// only when that one is silent.
import { setImmediate as immediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { runsDirectory, scanRuns, type StartOutcome } from "../../src/keeper/index.ts";
import { HoldfastError } from "../../src/protocol/errors.ts";
import {
  collectOutput,
  completeRequest,
  openKeeperHome,
  outputContains,
  type KeeperHome,
} from "../support/keeper-home.ts";
import { findBusyProcesses } from "../support/leaks.ts";
import { freeze, isAlive, keeperPidOf, procFile, untilDead } from "../support/process-facts.ts";

async function timedStart(
  keeper: KeeperHome,
  timeoutMs?: number,
): Promise<{ error: unknown; tookMs: number; isLate: boolean; id: string }> {
  const request = completeRequest({ argv: ["/bin/sleep", "300"] });
  const began = performance.now();
  // Timers of one process fire in their order, however long it was paused: a clock would count the pause.
  const late = AbortSignal.timeout(6_000);
  const error: unknown = await keeper.launcher
    .start(request, timeoutMs === undefined ? {} : { timeoutMs })
    .then(() => undefined)
    .catch((reason: unknown) => reason);
  return { error, tookMs: performance.now() - began, isLate: late.aborted, id: request.id };
}

async function replacedAfter(keeper: KeeperHome, old: number): Promise<number> {
  await untilDead(old);
  await keeper.launcher.ping();
  expect(keeper.launcherPid()).not.toBe(old);
  return keeper.launcherPid();
}

test("a stopped launcher fails a start after 5 s and is replaced; keepers and other starts go on", async () => {
  const keeper = await openKeeperHome();
  const runs = await Promise.all(
    Array.from({ length: 3 }, () =>
      keeper.shell("while read l; do echo got $l; done; exit 4", { stdin: "open" }),
    ),
  );
  const old = keeper.launcherPid();
  await freeze(old);
  const { error, tookMs, isLate, id } = await timedStart(keeper);
  expect(error).toMatchObject({ code: "START_TIMEOUT", details: { id, timeoutMs: 5_000 } });
  expect(tookMs).toBeGreaterThanOrEqual(5_000);
  expect(isLate).toBe(false);
  await replacedAfter(keeper, old);
  await expect.poll(async () => (await keeper.launcher.status()).held, { interval: 10 }).toBe(runs.length);
  expect((await (await keeper.shell("exit 6")).ended).exit).toEqual({ kind: "exited", code: 6 });
  for (const run of runs) {
    expect(keeperPidOf(run.directory)).toBe(run.keeperPid);
    const kept = keeper.kept(run.id);
    await kept.write("on\n");
    await outputContains(kept, "got on\n");
    await kept.closeStdin();
    expect((await run.ended).exit).toEqual({ kind: "exited", code: 4 });
    expect((await collectOutput(kept)).toString()).toBe("got on\n");
    kept.close();
  }
  expect((await scanRuns(keeper.binary, runsDirectory(keeper.home))).has(id)).toBe(false);
});

test("starts made at once all time out on a stopped launcher, and none of them ever runs", async () => {
  const keeper = await openKeeperHome();
  const old = keeper.launcherPid();
  await freeze(old);
  const starts = await Promise.all([300, 400, 500, 600].map((timeoutMs) => timedStart(keeper, timeoutMs)));
  for (const { error } of starts) expect(error).toMatchObject({ code: "START_TIMEOUT" });
  const launcherPid = await replacedAfter(keeper, old);
  await (
    await keeper.shell("exit 0")
  ).ended;
  await expect.poll(() => findBusyProcesses(keeper.home).map((each) => each.pid)).toEqual([launcherPid]);
  const runs = await scanRuns(keeper.binary, runsDirectory(keeper.home));
  for (const { id } of starts) expect(runs.has(id)).toBe(false);
});

function environmentOf(pid: number): string {
  try {
    return procFile(pid, "environ");
  } catch {
    return ""; // it has just ended
  }
}

/** Nothing of these starts lives or is listed. */
async function expectGone(keeper: KeeperHome, ids: readonly string[]): Promise<void> {
  const live = (): string[] => {
    const environments = findBusyProcesses(keeper.home).map((each) => environmentOf(each.pid));
    return ids.filter((id) => environments.some((text) => text.includes(`/runs/${id}\0`)));
  };
  await expect.poll(live).toEqual([]);
  // One that had not come to its child when it was given up is marked a moment later, or removes itself.
  const listed = async (): Promise<string[]> => {
    const statuses = await scanRuns(keeper.binary, runsDirectory(keeper.home));
    return ids.filter((id) => ![undefined, "abandoned"].includes(statuses.get(id)));
  };
  await expect.poll(listed).toEqual([]);
}

interface Raced {
  readonly id: string;
  readonly outcome: StartOutcome | HoldfastError;
}

/** A start of a child that stays, and has a child of its own. */
async function raceDeadline(keeper: KeeperHome, timeoutMs: number): Promise<Raced> {
  const request = completeRequest({ argv: ["/bin/sh", "-c", "sleep 301 & exec sleep 300"] });
  try {
    return { id: request.id, outcome: await keeper.launcher.start(request, { timeoutMs }) };
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return { id: request.id, outcome: error };
  }
}

test("an answer that races the deadline is either a running child or no child at all", async () => {
  const keeper = await openKeeperHome();
  const raced: Raced[] = [];
  const began = performance.now();
  for (let start = 0; start < 5; start++) raced.push(await raceDeadline(keeper, 5_000));
  // From far too short to ample, in whole milliseconds: what a start takes lies in between on any machine.
  let ampleMs = Math.ceil((performance.now() - began) / 5) * 4 + 4;
  const countStarted = (): number =>
    raced.filter(({ outcome }) => !(outcome instanceof HoldfastError)).length;
  for (let round = 0; round < 60 || countStarted() <= 5; round++) {
    // None of a whole sweep: the machine has become slower meanwhile.
    if (round > 0 && round % 60 === 0) ampleMs *= 2;
    // Four at once, so that some answers wait behind others.
    const four = [0, 1, 2, 3].map((step) => raceDeadline(keeper, 1 + ((round * 4 + step) % ampleMs)));
    raced.push(...(await Promise.all(four)));
  }
  const given = raced.filter(({ outcome }) => outcome instanceof HoldfastError);
  const started = raced.flatMap(({ outcome }) =>
    !(outcome instanceof HoldfastError) && outcome.kind === "started" ? [outcome] : [],
  );
  expect(given.length + started.length).toBe(raced.length);
  // Both must have happened, or the sweep missed the edge and shows nothing.
  expect(given.length, `of ${raced.length}, up to ${ampleMs} ms`).toBeGreaterThan(0);
  expect(started.length, `of ${raced.length}, up to ${ampleMs} ms`).toBeGreaterThan(5);
  expect(new Set(given.map(({ outcome }) => (outcome as HoldfastError).code))).toEqual(
    new Set(["START_TIMEOUT"]),
  ); // filtered above
  expect(started.filter(({ pid }) => !isAlive(pid))).toEqual([]);

  await expectGone(
    keeper,
    given.map(({ id }) => id),
  );
  const statuses = await scanRuns(keeper.binary, runsDirectory(keeper.home));
  expect(started.filter(({ id }) => statuses.get(id) !== "live")).toEqual([]);
});

test("a launcher stopped in the middle of a start leaves a running child or none", async () => {
  const keeper = await openKeeperHome();
  for (let round = 0; round < 10; round++) {
    const launcherPid = keeper.launcherPid();
    const racing = raceDeadline(keeper, 150);
    // From before the launcher reads the request to after its answer: the turns of the event loop are the clock.
    const from = process.hrtime.bigint();
    while (process.hrtime.bigint() - from < BigInt(round) * 300_000n) await immediate();
    process.kill(launcherPid, "SIGSTOP");
    const { id, outcome } = await racing;
    if (outcome instanceof HoldfastError) {
      // A pause of the test may have let it answer after the deadline, just before it was stopped: then this finds it silent.
      await keeper.launcher.ping();
      await replacedAfter(keeper, launcherPid);
      await expectGone(keeper, [id]);
      continue;
    }
    process.kill(launcherPid, "SIGCONT");
    const statuses = await scanRuns(keeper.binary, runsDirectory(keeper.home));
    expect(statuses.get(id)).toBe("live");
  }
});
