// kill -9 of a keeper: a successor goes on with output, stdin and the true exit code.
import { expect, test } from "vitest";
import type { KeptProcess, StartedRun } from "../../src/keeper/index.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import { keeperPidOf, killNow, successorOf } from "../support/process-facts.ts";

const killsPerRun = 4;
const linesPerKill = 40;

interface Kind {
  readonly mode: "split" | "merged" | "pty";
  readonly talk: "chatty" | "silent";
}

const kinds: readonly Kind[] = [
  { mode: "pty", talk: "chatty" },
  { mode: "pty", talk: "silent" },
  { mode: "split", talk: "chatty" },
  { mode: "merged", talk: "silent" },
];

async function startTalker(keeper: KeeperHome, kind: Kind): Promise<StartedRun> {
  const program = compileFixture("talk_in_sequence");
  const run = await keeper.start({ argv: [program, kind.talk], mode: kind.mode, stdin: "open" });
  const kept = keeper.kept(run.id);
  await outputContains(kept, "ready\n");
  kept.close();
  return run;
}

/** Numbered lines, one write each, so that a kill falls between or inside them. */
async function writeLines(kept: KeptProcess, from: number, count: number): Promise<void> {
  for (let line = from; line < from + count; line++) await kept.write(`${line}\n`);
}

function numbersAfter(prefix: string, output: string): number[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith(prefix))
    .map((line) => Number(line.slice(prefix.length)));
}

/** Kills the keeper again and again while input and output flow; returns what the client saw. */
async function killRepeatedly(keeper: KeeperHome, run: StartedRun, code: number): Promise<string> {
  const kept = keeper.kept(run.id);
  const seen = collectOutput(kept);
  for (let kill = 0; kill < killsPerRun; kill++) {
    const writing = writeLines(kept, kill * linesPerKill, linesPerKill);
    const keeperPid = keeperPidOf(run.directory);
    await killNow(keeperPid);
    await Promise.all([writing, successorOf(run.directory, keeperPid)]);
    await outputContains(kept, `i ${(kill + 1) * linesPerKill - 1}\n`);
  }
  await kept.write(`end ${code}\n`);
  const output = await seen;
  kept.close();
  return output.toString();
}

test("20 processes go on through 4 deaths of each one's keeper, with no byte lost or doubled", async () => {
  const keeper = await openKeeperHome();
  const runs = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const kind = kinds[index % kinds.length] as Kind; // in range by the remainder
      return { kind, code: 100 + index, run: await startTalker(keeper, kind) };
    }),
  );
  await Promise.all(
    runs.map(async ({ kind, code, run }) => {
      const output = await killRepeatedly(keeper, run, code);
      const expectedInput = Array.from({ length: killsPerRun * linesPerKill }, (_, line) => line);
      expect(numbersAfter("i ", output), run.id).toEqual(expectedInput);
      const chatter = numbersAfter("o ", output);
      expect(chatter, run.id).toEqual(chatter.map((_, line) => line));
      expect(chatter.length > killsPerRun).toBe(kind.talk === "chatty");
      const { exit, outputBytes } = await run.ended;
      expect(exit).toEqual({ kind: "exited", code });
      expect(outputBytes).toBe(Buffer.byteLength(output));
    }),
  );
  // A keeper tells the end first and leaves then.
  await expect.poll(async () => (await keeper.launcher.status()).held).toBe(0);
});

test("resize, signal and stop work on the successor", async () => {
  const keeper = await openKeeperHome();
  const run = await startTalker(keeper, { mode: "pty", talk: "silent" });
  const keeperPid = keeperPidOf(run.directory);
  await killNow(keeperPid);
  const kept = keeper.kept(run.id);
  await kept.resize(132, 43);
  await outputContains(kept, "size 132 43\n");
  expect(await kept.signal(10)).toBe(1);
  await outputContains(kept, "usr1\n");
  expect(await kept.signal(10, "foreground")).toBe(1);
  expect(await kept.signal(10, "tree")).toBe(1);
  const stopped = await kept.stop({ by: "the test" });
  expect(stopped).toMatchObject({ outcome: "ended", killed: 0, left: 0 });
  expect(await kept.wait()).toMatchObject({
    exit: { kind: "signaled", signal: 1 },
    stopReason: "user",
    stopBy: "the test",
  });
  kept.close();
});

test("a stop that is going on when its keeper dies is finished by the successor, with the same reason", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("trap '' TERM; echo deaf; while :; do sleep 1; done");
  const kept = keeper.kept(run.id);
  await outputContains(kept, "deaf");
  const stopping = kept.stop({ graceMs: 60_000, reason: "lifetime", by: "the first" });
  await expect.poll(async () => (await kept.state()).state, { interval: 5 }).toBe("stopping");
  await killNow(keeperPidOf(run.directory));
  // The handle asks the successor again; a second, impatient stop ends the wait.
  expect(await kept.stop({ graceMs: 0 })).toMatchObject({ outcome: "killed", left: 0 });
  expect((await stopping).left).toBe(0);
  const record = await kept.wait();
  expect(record).toMatchObject({ stopReason: "lifetime", stopBy: "the first" });
  expect(record.exit).toMatchObject({ kind: "signaled", signal: 9 });
  kept.close();
});

test("closing stdin before and after a keeper's death reaches the child", async () => {
  const keeper = await openKeeperHome();
  const before = await startTalker(keeper, { mode: "split", talk: "silent" });
  const after = await startTalker(keeper, { mode: "split", talk: "silent" });
  const handles = { before: keeper.kept(before.id), after: keeper.kept(after.id) };
  await handles.before.write("one\n");
  await handles.before.closeStdin();
  await killNow(after.keeperPid);
  await handles.after.write("one\n");
  await handles.after.closeStdin();
  for (const [name, run] of Object.entries({ before, after })) {
    expect((await run.ended).exit, name).toEqual({ kind: "exited", code: 77 });
  }
  expect((await collectOutput(handles.after)).toString()).toBe("ready\ni one\n");
  handles.before.close();
  handles.after.close();
});
