// kill -9 before every step of taking, updating and releasing a lock: whoever comes next has it at once.
import { expect, test } from "vitest";
import { acquireLock, listLocks, ownerOf, releaseLock } from "../../src/locks/index.ts";
import { lockStates, prepareLock, startStepper } from "../support/lock-steps.ts";

const owner = ownerOf(process.pid);

test.for(lockStates)("killed before any step on a lock that is %s, it can be had at once", async (state) => {
  let killed = 0;
  for (let at = 1; ; at++) {
    const name = await prepareLock(state);
    const stepper = startStepper(name, "release", { at, what: "kill" });
    stepper.child.stdin.end();
    const ended = await stepper.ended;
    expect([null, 0]).toContain(ended.code);
    if (ended.signal !== "SIGKILL") break; // there is no such step any more
    killed += 1;
    const { outcome, lock } = await acquireLock({ ...name, owner });
    expect(["acquired", "taken_over"], `step ${at}`).toContain(outcome);
    expect((await listLocks(name)).locks, `step ${at}`).toEqual([lock]);
    await releaseLock({ ...name, owner });
    expect((await listLocks(name)).locks).toEqual([]);
  }
  // Directory, claim and rename; the update and its rename; the removals. Fewer would mean that the library saw nothing.
  expect(killed).toBeGreaterThanOrEqual(12);
});
