// A full disk costs output and nothing else: the child goes on, the gap is known by the byte, the end is recorded.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readRunDirectory, type KeptProcess } from "../../src/keeper/index.ts";
import { hasErrorCode } from "../../src/keeper/system-error.ts";
import { countedLineBytes, countLines, readCounted } from "../support/counted-output.ts";
import { openKeeperHome, type KeeperHome } from "../support/keeper-home.ts";
import { newTestHome } from "../support/test-home.ts";

const isRoot = process.getuid?.() === 0;

/** A home on a file system of its own that has hardly any room. */
async function openSmallHome(): Promise<KeeperHome> {
  const home = newTestHome();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m,mode=0700", "holdfast-test", home]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", home]));
  return await openKeeperHome(home);
}

function makeRoom(home: string): void {
  execFileSync("mount", ["-o", "remount,size=64m", home]);
}

/** Takes the last free page. */
function fillUp(home: string): void {
  try {
    for (let i = 0; ; i++) writeFileSync(join(home, `filler-${i}`), Buffer.alloc(4096));
  } catch (error) {
    if (!hasErrorCode(error, "ENOSPC")) throw error;
  }
}

interface OutputWithGaps {
  readonly end: number;
  readonly gapBytes: number;
  readonly faults: readonly string[];
}

async function readWithGaps(kept: KeptProcess): Promise<OutputWithGaps> {
  const { end, missing, faults } = await readCounted(kept.output());
  const gaps = missing.filter((each) => each.why === "gap");
  const gapBytes = gaps.reduce((sum, each) => sum + each.to - each.from, 0);
  return { end, gapBytes, faults: gaps.length === missing.length ? faults : [...faults, "not only gaps"] };
}

/** Counts on by 10,000 lines for every line it reads. */
const turnLines = 10_000;
const turnBytes = turnLines * countedLineBytes;
const countOnDemand = `n=0; while read go; do m=$((n+${turnLines})); ${countLines("$n", "$((m-1))")}; n=$m; done; exit 21`;

/** Lets it count on until so many turns are done and taken. */
async function countOn(kept: KeptProcess, from: number, to: number): Promise<void> {
  for (let turn = from + 1; turn <= to; turn++) {
    await kept.write("\n");
    await expect.poll(async () => (await kept.state()).outputBytes).toBe(turn * turnBytes);
  }
}

test.skipIf(!isRoot)("the child goes on, and capture resumes when there is room", async () => {
  const keeper = await openSmallHome();
  const run = await keeper.shell(countOnDemand, { stdin: "open" });
  await using kept = keeper.kept(run.id);
  await countOn(kept, 0, 20);
  expect((await kept.state()).gapBytes).toBeGreaterThan(turnBytes);
  makeRoom(keeper.home);
  let turns = 20;
  let gapBytes = -1;
  // The keeper looks for room a few times a second; from then on turns add nothing to the gap.
  while (turns < 200 && gapBytes !== (await kept.state()).gapBytes) {
    gapBytes = (await kept.state()).gapBytes;
    await countOn(kept, turns, turns + 1);
    turns += 1;
  }
  const outputBytes = turns * turnBytes;
  const read = await readWithGaps(kept);
  expect(read).toEqual({ end: outputBytes, gapBytes, faults: [] });
  await kept.closeStdin();
  expect(await run.ended).toMatchObject({ exit: { kind: "exited", code: 21 }, outputBytes, gapBytes });
  await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
  expect(await readWithGaps(kept)).toEqual(read);
});

test.skipIf(!isRoot)("the exit record is written although the disk is full", async () => {
  const keeper = await openSmallHome();
  const run = await keeper.shell(countOnDemand, { stdin: "open" });
  await using kept = keeper.kept(run.id);
  await countOn(kept, 0, 20);
  fillUp(keeper.home);
  await kept.closeStdin();
  const told = await run.ended;
  expect(told).toMatchObject({ exit: { kind: "exited", code: 21 }, outputBytes: 20 * turnBytes });
  expect(told.gapBytes).toBeGreaterThan(0);
  expect((await readRunDirectory(run.directory)).exit).toEqual(told);
  await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
  expect(await readWithGaps(keeper.kept(run.id))).toEqual({
    end: 20 * turnBytes,
    gapBytes: told.gapBytes,
    faults: [],
  });
});
