// Waiting for a lock: woken by a release and by the owner's death, bounded, and one at a time.
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock, listLocks, ownerOf, releaseLock } from "../../src/locks/index.ts";
import { openCliHome } from "../support/cli-home.ts";
import { fixtureProgram } from "../support/programs.ts";
import { LineProcess } from "../support/line-process.ts";
import { newLockDirectory, startSleeper, type LockName } from "../support/lock-owners.ts";
import { freeze, thaw } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

const self = ownerOf(process.pid);
const waitMs = 30_000;

function newLock(): LockName {
  return { directory: newLockDirectory(), scope: "s", identity: "token" };
}

test("who waits gets the lock when it is released", async () => {
  const name = newLock();
  const owner = ownerOf(startSleeper().pid);
  await acquireLock({ ...name, owner });
  const waiting = acquireLock({ ...name, owner: self, waitMs });
  await releaseLock({ ...name, owner });
  expect(await waiting).toMatchObject({ outcome: "acquired", lock: { owner: { pid: process.pid } } });
});

test.for(["killed", "stopped"] as const)("who waits gets the lock when its owner is %s", async (how) => {
  const name = newLock();
  const sleeper = startSleeper();
  await acquireLock({ ...name, owner: ownerOf(sleeper.pid) });
  const waiting = acquireLock({ ...name, owner: self, waitMs });
  if (how === "killed") await sleeper.kill();
  else await freeze(sleeper.pid);
  expect(await waiting).toMatchObject({
    outcome: "taken_over",
    replaced: { state: how === "killed" ? "gone" : "stopped", owner: { pid: sleeper.pid } },
  });
  if (how === "stopped") thaw(sleeper.pid);
});

test("of two who wait one gets it, and the other goes on waiting", async () => {
  const name = newLock();
  const owners = [startSleeper(), startSleeper(), startSleeper()].map(({ pid }) => ownerOf(pid));
  const [first = self, ...others] = owners;
  await acquireLock({ ...name, owner: first });
  const waiting = new Map(
    others.map((owner) => [
      owner.pid,
      acquireLock({ ...name, owner, waitMs }).then(({ lock }) => lock.owner?.pid),
    ]),
  );
  await releaseLock({ ...name, owner: first });
  const winner = (await Promise.race(waiting.values())) ?? 0;
  expect((await listLocks(name)).locks.map(({ owner }) => owner?.pid)).toEqual([winner]);
  waiting.delete(winner);
  const [[loser, stillWaiting] = [0, undefined]] = waiting;
  expect(await Promise.race([stillWaiting, Promise.resolve("waits")])).toBe("waits");
  await releaseLock({ ...name, owner: ownerOf(winner) });
  expect(await stillWaiting).toBe(loser);
});

test("the time is up: LOCK_HELD with the owner, not before", async () => {
  const name = newLock();
  const sleeper = startSleeper();
  await acquireLock({ ...name, owner: ownerOf(sleeper.pid) });
  const beganMs = performance.now();
  await expect(acquireLock({ ...name, owner: self, waitMs: 700 })).rejects.toMatchObject({
    code: "LOCK_HELD",
    details: { lock: { owner: { pid: sleeper.pid } } },
  });
  expect(performance.now() - beganMs).toBeGreaterThanOrEqual(700);
  const cli = openCliHome();
  const environment = { HOLDFAST_LOCK_DIR: name.directory };
  const answer = await cli.run(["lock", "acquire", "s", "token", "--wait", "100ms"], { environment });
  expect(answer).toMatchObject({ code: 6, stdout: "" });
});

test("an aborted wait ends with its reason and takes nothing", async () => {
  const name = newLock();
  const owner = ownerOf(startSleeper().pid);
  await acquireLock({ ...name, owner });
  const controller = new AbortController();
  const waiting = acquireLock({ ...name, owner: self, waitMs, signal: controller.signal });
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await releaseLock({ ...name, owner });
  expect((await listLocks(name)).locks).toEqual([]);
});

test("six workers hand one lock around: never two at once, and all get through", async () => {
  const { directory, identity } = newLock();
  const program = fixtureProgram("lock-worker");
  const room = join(newTestHome(), "room");
  const workers = Array.from(
    { length: 6 },
    () => new LineProcess([process.execPath, program, directory, identity, room, "15"]),
  );
  expect(await Promise.all(workers.map((worker) => worker.next()))).toEqual(Array(6).fill("done"));
  expect((await listLocks({ directory })).locks).toEqual([]);
});
