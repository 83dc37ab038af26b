// When an owner counts as gone: only when that is proven, or when it is stopped.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock, listLocks, ownerOf, releaseLock } from "../../src/locks/index.ts";
import type { LockView } from "../../src/protocol/locks.ts";
import { readProcessStat } from "../../src/util/process-identity.ts";
import { cliProgram } from "../support/programs.ts";
import { compileFixture, fixturesDirectory } from "../support/compile-fixture.ts";
import { LineProcess } from "../support/line-process.ts";
import { claimFileOf, newLockDirectory, startSleeper, type LockName } from "../support/lock-owners.ts";
import { freeze, thaw } from "../support/process-facts.ts";
import { expectUntouched, giveToStranger, withItsNumber } from "../support/stranger.ts";

const self = ownerOf(process.pid);

function newLock(): LockName {
  return { directory: newLockDirectory(), scope: "s", identity: "token" };
}

/** A lock that a living process has, as the record says. */
async function heldLock(name: LockName): Promise<{ lock: LockView; sleeper: LineProcess }> {
  const sleeper = startSleeper();
  const { lock } = await acquireLock({ ...name, owner: ownerOf(sleeper.pid) });
  return { lock, sleeper };
}

function changeOwner(lock: LockView, change: Record<string, unknown>): void {
  const file = claimFileOf(lock);
  const claim = JSON.parse(readFileSync(file, "utf8")) as { owner: object };
  writeFileSync(file, JSON.stringify({ ...claim, owner: { ...claim.owner, ...change } }));
}

test("killed, and not yet reaped by its parent: gone", async () => {
  const name = newLock();
  const parent = new LineProcess(["sh", "-c", "sleep 300 & echo $!; exec cat"]);
  const pid = Number(await parent.next());
  await acquireLock({ ...name, owner: ownerOf(pid) });
  process.kill(pid, "SIGKILL");
  await expect.poll(() => readProcessStat(pid)?.state, { interval: 1 }).toBe("Z");
  expect(await acquireLock({ ...name, owner: self })).toMatchObject({
    outcome: "taken_over",
    replaced: { state: "gone", owner: { pid } },
  });
});

test(
  "a stranger has its number by now: gone, and the stranger is left alone",
  withItsNumber(async () => {
    const name = newLock();
    const { sleeper } = await heldLock(name);
    await sleeper.kill();
    const stranger = await giveToStranger(sleeper.pid);
    expect(await acquireLock({ ...name, owner: self })).toMatchObject({
      outcome: "taken_over",
      replaced: { state: "gone", owner: { pid: sleeper.pid } },
    });
    expectUntouched(stranger);
  }),
);

test("of an earlier boot: gone", async () => {
  const name = newLock();
  const { lock } = await heldLock(name);
  changeOwner(lock, { bootId: "00000000-0000-4000-8000-000000000000" });
  expect(await acquireLock({ ...name, owner: self })).toMatchObject({
    outcome: "taken_over",
    replaced: { state: "gone" },
  });
});

test("stopped by a signal: stale, and when it goes on it has lost the lock", async () => {
  const name = newLock();
  const { sleeper } = await heldLock(name);
  await freeze(sleeper.pid);
  expect((await listLocks(name)).locks).toMatchObject([{ state: "stopped", stale: true }]);
  expect(await acquireLock({ ...name, owner: self })).toMatchObject({
    outcome: "taken_over",
    replaced: { state: "stopped", owner: { pid: sleeper.pid } },
  });
  thaw(sleeper.pid);
  const owner = ownerOf(sleeper.pid);
  await expect(acquireLock({ ...name, owner })).rejects.toMatchObject({ code: "LOCK_HELD" });
  await expect(releaseLock({ ...name, owner })).rejects.toMatchObject({ code: "LOCK_NOT_OWNED" });
});

test("stopped by a debugger: it keeps its lock", async () => {
  const name = newLock();
  const { sleeper } = await heldLock(name);
  const tracer = new LineProcess([compileFixture("trace_stop"), String(sleeper.pid)]);
  expect(await tracer.next()).toBe("stopped");
  expect(readProcessStat(sleeper.pid)?.state).toBe("t");
  await expect(acquireLock({ ...name, owner: self })).rejects.toMatchObject({ code: "LOCK_HELD" });
  await tracer.end();
});

test("what cannot be looked at is not gone", async () => {
  const name = newLock();
  const { lock } = await heldLock(name);
  changeOwner(lock, { bootId: "" });
  await expect(acquireLock({ ...name, owner: self })).rejects.toMatchObject({
    code: "LOCK_HELD",
    details: { lock: { state: "unknown" } },
  });
});

test("of another PID namespace: foreign on both sides, also after it has ended; removed by hand it is free", async () => {
  const name = newLock();
  const { directory, scope, identity } = name;
  const environment = { HOLDFAST_LOCK_DIR: directory };
  const inside = (...argv: string[]): LineProcess =>
    new LineProcess(["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", ...argv], { environment });
  const run = [
    process.execPath,
    cliProgram,
    "lock",
    "run",
    scope,
    identity,
    "--",
    "sh",
    "-c",
    "echo held; exec cat",
  ];
  const holder = inside(...run);
  expect(await holder.next()).toBe("held");
  const refusal = { code: "LOCK_HELD", details: { lock: { state: "foreign", stale: false } } };
  await expect(acquireLock({ ...name, owner: self })).rejects.toMatchObject(refusal);
  await holder.kill();
  const again = acquireLock({ ...name, owner: self });
  await expect(again).rejects.toMatchObject(refusal);
  const error = (await again.catch((thrown: unknown) => thrown)) as {
    hint: string;
    details: { lock: LockView };
  };
  expect(error.hint).toContain(`remove ${error.details.lock.path}`);
  rmSync(error.details.lock.path, { recursive: true });
  await acquireLock({ ...name, owner: self });

  const other = inside(...run);
  expect(await other.next()).toBeUndefined();
  expect((await other.ended).code).toBe(6);
});

test("another user's process cannot be named as the owner", async () => {
  const program = join(fixturesDirectory, "lock-as-nobody.ts");
  expect(await new LineProcess([process.execPath, program, "1"]).next()).toBe(
    "LOCK_OWNER_REFUSED other_user",
  );
});
