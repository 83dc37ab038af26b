// Limits hold with nobody connected, and the record says which one ended the run.
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRunDirectory, readStoredOutput, type StartRequest } from "../../src/keeper/index.ts";
import { isHoldfastError } from "../../src/protocol/errors.ts";
import { openKeeperHome, type ExitRecord, type KeeperHome } from "../support/keeper-home.ts";
import { testDirectory } from "../support/test-home.ts";

interface EndedAlone extends ExitRecord {
  readonly directory: string;
}

/** Starts it, closes every connection, and waits for the record on disk. */
async function endAlone(
  keeper: KeeperHome,
  script: string,
  request: Partial<StartRequest>,
): Promise<EndedAlone> {
  const run = await keeper.shell(script, request);
  run.ended.catch(() => undefined); // rejects with the closing
  await keeper.launcher.close();
  return { ...(await recordOf(run.directory)), directory: run.directory };
}

async function recordOf(directory: string): Promise<ExitRecord> {
  await expect
    .poll(async () => (await readRunDirectory(directory)).exit, { timeout: 20_000, interval: 20 })
    .toBeDefined();
  const { exit } = await readRunDirectory(directory);
  if (exit === undefined) throw new Error("no exit record");
  return exit;
}

/** When the keeper took the last line, after the start. */
async function lastOutputUs(directory: string): Promise<number> {
  let lastUs = 0;
  for await (const event of readStoredOutput(directory, { marks: true }))
    if (event.kind === "mark") lastUs = event.timeUs;
  return lastUs;
}

test("wall clock", async () => {
  const record = await endAlone(await openKeeperHome(), "exec sleep 600", { wallLimitMs: 300 });
  expect(record).toMatchObject({ exit: { signal: 15 }, stopReason: "timeout" });
  expect(record.durationUs).toBeGreaterThanOrEqual(300_000);
});

test("a limit kills after its own grace", async () => {
  // A limit that is reached only when TERM is ignored, however long that takes.
  const script = "trap '' TERM; echo deaf; while :; do sleep 0.02; done";
  const record = await endAlone(await openKeeperHome(), script, { outputLimitBytes: 1, graceMs: 200 });
  expect(record).toMatchObject({ exit: { signal: 9 }, stopReason: "output" });
  expect(record.durationUs - (await lastOutputUs(record.directory))).toBeGreaterThanOrEqual(200_000);
});

test("idle time counts from the last output", async () => {
  // Five pauses between six lines, then the limit; on a machine that stalls it may be reached in one of the pauses.
  const script = "for i in 1 2 3 4 5 6; do echo $i; sleep 0.1; done; exec sleep 600";
  const record = await endAlone(await openKeeperHome(), script, { idleLimitMs: 400 });
  expect(record).toMatchObject({ exit: { signal: 15 }, stopReason: "idle" });
  expect(record.durationUs - (await lastOutputUs(record.directory))).toBeGreaterThanOrEqual(400_000);
});

test("input counts as activity", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("while read line; do :; done", { idleLimitMs: 1_000, stdin: "open" });
  await using kept = keeper.kept(run.id);
  const begin = performance.now();
  let lastMs = 0;
  const type = async (): Promise<number> => {
    const nowMs = Date.now();
    await kept.write("line\n");
    lastMs = nowMs;
    return performance.now() - begin;
  };
  // Each line comes well within the limit; all together take twice as long as it allows. A machine that stalls may reach it
  // between two of them.
  const isOver = (error: unknown): number => {
    if (!isHoldfastError(error, "PROCESS_ENDED") && !isHoldfastError(error, "STDIN_CLOSED")) throw error;
    return Infinity;
  };
  await expect.poll(() => type().catch(isOver), { interval: 100 }).toBeGreaterThan(2_000);
  const record = await run.ended;
  expect(record).toMatchObject({ stopReason: "idle" });
  expect(record.endedAt - lastMs).toBeGreaterThanOrEqual(999);
});

test("output bytes", async () => {
  const record = await endAlone(await openKeeperHome(), "exec yes", { outputLimitBytes: 1_000_000 });
  expect(record).toMatchObject({ exit: { kind: "signaled" }, stopReason: "output" });
  expect(record.outputBytes).toBeGreaterThan(1_000_000);
});

const allocate = `perl -e '$x = ""; vec($x, 50_000_000, 8) = 1; sleep 600'`;

test("memory of the whole tree, not of one process", async () => {
  const keeper = await openKeeperHome();
  const limit = { memoryLimitBytes: 85_000_000 };
  const two = await keeper.shell(`${allocate} & ${allocate} & wait`, limit);
  const one = await keeper.shell(`${allocate} & wait`, limit);
  for (const run of [one, two]) run.ended.catch(() => undefined);
  await keeper.launcher.close();
  expect(await recordOf(two.directory)).toMatchObject({ stopReason: "memory" });
  // The same limit does not touch half of it.
  expect((await readRunDirectory(one.directory)).exit).toBeUndefined();
});

test("resource limits are the kernel's to enforce", async () => {
  const keeper = await openKeeperHome();
  const file = join(testDirectory(), "too-large");
  const core = { soft: 0, hard: 0 };
  const size = await keeper.shell(`exec dd if=/dev/zero of=${file} bs=4096 count=100`, {
    rlimits: { fsize: { soft: 8192, hard: 8192 }, core },
  });
  const cpu = await keeper.shell("while :; do :; done", { rlimits: { cpu: { soft: 1, hard: 5 }, core } });
  expect((await size.ended).exit).toEqual({ kind: "signaled", signal: 25, coreDumped: false });
  expect(await cpu.ended).toMatchObject({
    exit: { kind: "signaled", signal: 24, coreDumped: false },
    stopReason: "none",
  });
});
