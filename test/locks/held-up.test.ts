// Two at one lock, in every order: one is held up before each of its steps, alive, while the other tries. Never both have it.
import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { acquireLock, listLocks, ownerOf } from "../../src/locks/index.ts";
import { isHoldfastError } from "../../src/protocol/errors.ts";
import type { LineProcess } from "../support/line-process.ts";
import type { LockName } from "../support/lock-owners.ts";
import { lockStates, prepareLock, startStepper } from "../support/lock-steps.ts";
import { testDirectory } from "../support/test-home.ts";

const owner = ownerOf(process.pid);

async function outcomeHere(name: LockName): Promise<string> {
  try {
    return (await acquireLock({ ...name, owner })).outcome;
  } catch (error) {
    if (!isHoldfastError(error, "LOCK_HELD")) throw error;
    return "held";
  }
}

async function linesUntil(from: LineProcess, ...last: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (let line = await from.next(); line !== undefined; line = await from.next()) {
    lines.push(line);
    if (last.includes(line)) return lines;
  }
  throw new Error(`it ended after ${JSON.stringify(lines)}`);
}

test.for(lockStates)("held up before any step on a lock that is %s, one of the two has it", async (state) => {
  const winners: string[] = [];
  for (let at = 1; ; at++) {
    const name = await prepareLock(state);
    const fifo = join(testDirectory(), `${state}-${at}`);
    execFileSync("mkfifo", [fifo]);
    const other = startStepper(name, "keep", { at, what: "wait", fifo });
    const said = await linesUntil(other, "paused", "done");
    if (said.at(-1) === "done") break;
    const mine = await outcomeHere(name);
    closeSync(openSync(fifo, "w"));
    said.push(...(await linesUntil(other, "done")));
    const theirs = said.find((line) => line !== "paused" && line !== "done") ?? "nothing";
    const holders = [mine, theirs].filter((outcome) => outcome !== "held");
    expect(holders, `step ${at}: ${mine} here, ${theirs} there`).toHaveLength(1);
    const { locks } = await listLocks(name);
    expect(locks.map((lock) => lock.owner?.pid)).toEqual([mine === "held" ? other.pid : process.pid]);
    winners.push(mine === "held" ? "there" : "here");
    await other.end();
  }
  // Up to the rename that decides, this one comes first; once the other has it, it keeps it.
  expect(winners.join(" ")).toMatch(/^(?:here ){5,}(?:there ?){4,}$/);
});
