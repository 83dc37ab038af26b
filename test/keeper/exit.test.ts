// How a child ended is kept exactly: code, signal, core flag, usage and times.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRunDirectory } from "../../src/keeper/index.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { openKeeperHome, type ExitRecord, type KeeperHome } from "../support/keeper-home.ts";
import { testDirectory } from "../support/test-home.ts";

/** By default these are ignored, or stop the process instead of ending it. */
const harmlessSignals = new Set([17, 18, 19, 20, 21, 22, 23, 28]);
const coreSignals = new Set([3, 4, 5, 6, 7, 8, 11, 24, 25, 31]);
const deadlySignals = Array.from({ length: 64 }, (_, i) => i + 1).filter((n) => !harmlessSignals.has(n));

async function endOf(keeper: KeeperHome, argv: readonly string[], more: object = {}): Promise<ExitRecord> {
  const run = await keeper.start({ argv, ...more });
  const told = await run.ended;
  // What was told and what is on disk are the same.
  expect((await readRunDirectory(run.directory)).exit).toEqual(told);
  return told;
}

/** Not all at once: each start has a deadline, and a slow machine has not the time for so many. */
async function endsOf(
  numbers: readonly number[],
  end: (number: number) => Promise<ExitRecord>,
): Promise<ExitRecord[]> {
  const records: ExitRecord[] = [];
  for (let from = 0; from < numbers.length; from += 16)
    records.push(...(await Promise.all(numbers.slice(from, from + 16).map(end))));
  return records;
}

test("all 256 exit codes are kept", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("exit_with");
  const codes = Array.from({ length: 256 }, (_, code) => code);
  const records = await endsOf(codes, (code) => endOf(keeper, [program, String(code)]));
  expect(records.map((record) => record.exit)).toEqual(codes.map((code) => ({ kind: "exited", code })));
  expect(new Set(records.map((record) => record.stopReason))).toEqual(new Set(["none"]));
});

test("every signal that can kill is kept, and none of them dumps core when the limit is 0", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("die_by_signal");
  const rlimits = { core: { soft: 0, hard: 0 } };
  const records = await endsOf(deadlySignals, (number) =>
    endOf(keeper, [program, String(number)], { rlimits }),
  );
  expect(records.map((record) => record.exit)).toEqual(
    deadlySignals.map((signal) => ({ kind: "signaled", signal, coreDumped: false })),
  );
});

test("the core flag is set for exactly the signals that dump core", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("die_by_signal");
  const hard = /^Max core file size\s+\S+\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  const mayDump = hard !== "0";
  const limit = mayDump ? 16_777_216 : 0;
  const rlimits = { core: { soft: limit, hard: limit } };
  const records = await endsOf(deadlySignals, (number) => {
    const cwd = join(testDirectory(), `core-${number}`);
    mkdirSync(cwd);
    return endOf(keeper, [program, String(number)], { rlimits, cwd });
  });
  expect(records.map((record) => record.exit)).toEqual(
    deadlySignals.map((signal) => ({
      kind: "signaled",
      signal,
      coreDumped: mayDump && coreSignals.has(signal),
    })),
  );
});

test("usage and times are those of the child", async () => {
  const keeper = await openKeeperHome();
  const before = Date.now();
  const run = await keeper.start({
    argv: [
      process.execPath,
      "-e",
      "const end = process.cpuUsage().user + 200_000; while (process.cpuUsage().user < end);",
    ],
  });
  const record = await run.ended;
  const { usage } = record;
  expect(record.endedAt).toBeGreaterThanOrEqual(before);
  expect(record.endedAt).toBeLessThanOrEqual(Date.now() + 1);
  expect(record.durationUs).toBeGreaterThan(200_000);
  expect(record.durationUs).toBeLessThan((Date.now() - before + 1000) * 1000);
  expect(usage?.userUs).toBeGreaterThanOrEqual(200_000);
  expect(usage?.userUs).toBeLessThan(record.durationUs * 4);
  expect(usage?.systemUs).toBeGreaterThan(0);
  expect(usage?.maxRssKib).toBeGreaterThan(10_000);
  expect(record).toMatchObject({ outputBytes: 0, gapBytes: 0, descendants: 0 });
});

test("a child that a KILL from outside ended has no stop reason", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/sleep", "600"] });
  process.kill(run.pid, "SIGKILL");
  expect(await run.ended).toMatchObject({
    exit: { kind: "signaled", signal: 9, coreDumped: false },
    stopReason: "none",
  });
});

test("a child that is stopped and continued has not ended", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/sh", "-c", "kill -STOP $$; exit 12"] });
  await expect.poll(() => readFileSync(`/proc/${run.pid}/stat`, "latin1").split(") ")[1]?.[0]).toBe("T");
  await using kept = keeper.kept(run.id);
  expect(await kept.state()).toMatchObject({ state: "running" });
  expect(await kept.signal(18)).toBe(1);
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 12 });
});
