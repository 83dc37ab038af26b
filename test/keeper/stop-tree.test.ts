// A stop leaves nobody behind, whatever the tree does to get away.
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { KeptProcess, StartedRun, StartRequest } from "../../src/keeper/index.ts";
import { hasErrorCode } from "../../src/keeper/system-error.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { nextRunId, openKeeperHome, type KeeperHome } from "../support/keeper-home.ts";
import { testDirectory } from "../support/test-home.ts";

const descendants = 20;

interface Tree {
  readonly run: StartedRun;
  readonly kept: KeptProcess;
  /** Does any process of the tree live? The kernel's word: the end of a pipe that all of them hold. */
  isAlive(): boolean;
}

async function growTree(keeper: KeeperHome, request: Partial<StartRequest>): Promise<Tree> {
  const fifo = join(testDirectory(), nextRunId());
  execFileSync("mkfifo", [fifo]);
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  const program = compileFixture("refuse_to_die");
  const run = await keeper.start({ argv: [program, String(descendants), fifo], ...request });
  const kept = keeper.kept(run.id);
  onTestFinished(() => kept.close());
  await expect
    .poll(async () => (await kept.state()).outputBytes)
    .toBeGreaterThanOrEqual("ready\n".length + descendants);
  const isAlive = (): boolean => {
    try {
      return readSync(reader, Buffer.alloc(1)) !== 0;
    } catch (error) {
      if (hasErrorCode(error, "EAGAIN")) return true;
      throw error;
    }
  };
  return { run, kept, isAlive };
}

test.each(["auto", "off"] as const)(
  "20 processes that ignore TERM, leave the session, lose their parents and re-fork are all ended (cgroup %s)",
  async (cgroup) => {
    const keeper = await openKeeperHome();
    const tree = await growTree(keeper, { cgroup });
    expect(tree.isAlive()).toBe(true);
    const result = await tree.kept.stop({ graceMs: 100 });
    // Looked at right after the answer: "none left" is what it says.
    expect(tree.isAlive()).toBe(false);
    expect(result).toMatchObject({ outcome: "killed", left: 0 });
    expect(result.killed).toBeGreaterThanOrEqual(descendants);
    expect((await tree.run.ended).exit).toEqual({ kind: "signaled", signal: 9, coreDumped: false });
  },
);

test("such a tree is also ended when its first process ended long ago", async () => {
  const keeper = await openKeeperHome();
  const tree = await growTree(keeper, { mode: "pty" });
  await tree.kept.signal(9);
  expect(await tree.run.ended).toMatchObject({ exit: { signal: 9 }, stopReason: "none" });
  expect((await tree.kept.state()).descendants).toBeGreaterThan(0);
  expect(tree.isAlive()).toBe(true);
  expect(await tree.kept.stop({ graceMs: 0 })).toMatchObject({ outcome: "killed", left: 0 });
  expect(tree.isAlive()).toBe(false);
});
