// Fifty processes at one lock that nobody holds any more, again and again: exactly one has it, and all others are told which.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listLocks } from "../../src/locks/index.ts";
import { fixtureProgram } from "../support/programs.ts";
import { LineProcess } from "../support/line-process.ts";
import { claimFileOf, leaveStaleLock, newLockDirectory, type LockName } from "../support/lock-owners.ts";

const racerCount = 50;
const rounds = 14;
// Long enough for every racer to have read its line before it may begin.
const headStartMs = 150;

interface Answer {
  readonly outcome: string;
  readonly ownerPid?: number;
}

/** What a lock may look like that nobody has. */
const leftovers: readonly ((name: LockName) => Promise<void>)[] = [
  async (name) => void (await leaveStaleLock(name)),
  async (name) => writeFileSync(claimFileOf(await leaveStaleLock(name)), ""),
  async (name) => writeFileSync(claimFileOf(await leaveStaleLock(name)), '{"format":1,"owner":{"pid":'),
  async (name) => {
    const lock = await leaveStaleLock(name);
    writeFileSync(join(lock.path, "00000000000000000000000000000000.update"), "{}");
    mkdirSync(join(lock.path, "litter/inner"), { recursive: true });
  },
  async (name) => {
    const { path } = await leaveStaleLock(name);
    rmSync(path, { recursive: true });
    writeFileSync(path, "not a directory");
  },
  async (name) => {
    const { path } = await leaveStaleLock(name);
    rmSync(path, { recursive: true });
    symlinkSync(dirname(path), path);
  },
  () => Promise.resolve(),
];

async function answerOf(racer: LineProcess): Promise<Answer> {
  return JSON.parse((await racer.next()) ?? "null") as Answer; // the fixture's own line
}

test(`${racerCount} racers, ${rounds} rounds: one winner each time`, async () => {
  const directory = newLockDirectory();
  const program = fixtureProgram("lock-racer");
  const racers = Array.from(
    { length: racerCount },
    () => new LineProcess([process.execPath, program, directory]),
  );
  await Promise.all(racers.map(answerOf));
  const winners = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    const name = { directory, scope: "race", identity: `token-${round}` };
    await leftovers[round % leftovers.length]?.(name);
    const atMs = Date.now() + headStartMs;
    for (const racer of racers) racer.say(`${name.scope} ${name.identity} ${atMs}`);
    const answers = await Promise.all(racers.map(answerOf));
    const won = answers.filter(({ outcome }) => outcome === "acquired" || outcome === "taken_over");
    expect(won, `round ${round}: ${JSON.stringify(answers)}`).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome === "LOCK_HELD")).toHaveLength(racerCount - 1);
    const [winner = 0, ...others] = new Set(answers.map(({ ownerPid }) => ownerPid));
    expect(others, `round ${round}: they name different owners`).toEqual([]);
    const { locks } = await listLocks({ directory });
    expect(locks.map(({ owner }) => owner?.pid)).toEqual([winner]);
    winners.add(winner);
    const racer = racers.find(({ pid }) => pid === winner);
    racer?.say(`release ${name.scope} ${name.identity}`);
    expect(racer && (await answerOf(racer))).toEqual({ outcome: "released" });
  }
  expect(winners.size, "always the same one won: this is no race").toBeGreaterThan(3);
  await Promise.all(racers.map((racer) => racer.end()));
});
