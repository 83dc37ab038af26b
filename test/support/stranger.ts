// A process number that belongs to a stranger by now.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished } from "vitest";
import { readProcessStat } from "../../src/util/process-identity.ts";
import { compileFixture } from "./compile-fixture.ts";
import { isAlive } from "./process-facts.ts";

export interface Stranger {
  readonly pid: number;
  /** Of its session and group. */
  readonly below: number;
}

class NumberTaken extends Error {}

const mostTries = 5;

/** Numbers are free for everybody on this machine: a test whose number somebody else was given begins again with another one. */
export function withItsNumber(test: () => Promise<void>): () => Promise<void> {
  return async () => {
    for (let left = mostTries - 1; ; left--) {
      try {
        await test();
        return;
      } catch (error) {
        if (!(error instanceof NumberTaken) || left === 0) throw error;
      }
    }
  };
}

/** Waits until the number is free, zombies included, and gives it to a stranger. */
export async function giveToStranger(pid: number): Promise<Stranger> {
  await expect.poll(() => readProcessStat(pid), { interval: 5 }).toBeUndefined();
  const child = spawn(compileFixture("take_pid"), [String(pid)], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.stdin.end();
    await exited;
  });
  const [line] = (await Promise.race([once(child.stdout, "data"), exited])) as [unknown];
  if (line === 2) throw new NumberTaken(`somebody else has ${pid} by now`);
  const below = /^taken (\d+)\n$/.exec(String(line))?.[1];
  expect(below, String(line)).toBeDefined();
  expect(isAlive(pid)).toBe(true);
  return { pid, below: Number(below) };
}

export function expectUntouched({ pid, below }: Stranger): void {
  expect([pid, below].map(isAlive)).toEqual([true, true]);
}
