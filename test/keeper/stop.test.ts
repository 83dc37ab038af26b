// A stop asks, waits, kills, and says what it had to do.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { collectOutput, openKeeperHome, outputContains } from "../support/keeper-home.ts";

/** Says a word when the signal comes, then ends with a code or goes on. */
function answering(signal: string, word: string, then = ""): string[] {
  const program = `$| = 1; $SIG{${signal}} = sub { print "${word}\\n"; ${then} }; print "ready\\n"; sleep 1 while 1`;
  return ["/usr/bin/perl", "-e", program];
}

/** Ignores TERM. */
const stubborn = "trap '' TERM HUP; echo ready; while :; do sleep 0.02; done";

test("a process that goes when asked is not killed, and who asked is kept", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: answering("TERM", "asked", "exit 3") });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  const result = await kept.stop({ graceMs: 30_000, by: "the test, 100% \u00fc\nsecond line" });
  expect(result).toEqual({ outcome: "ended", killed: 0, left: 0, killedPids: [] });
  expect(await run.ended).toMatchObject({
    exit: { kind: "exited", code: 3 },
    stopReason: "user",
    stopBy: "the test, 100% \u00fc\nsecond line",
  });
  expect((await collectOutput(kept)).toString()).toBe("ready\nasked\n");
});

test("a stopped process hears the TERM because it is continued", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(
    "trap 'exit 4' TERM; echo ready; kill -STOP $$; while :; do sleep 0.02; done",
  );
  await using kept = keeper.kept(run.id);
  await expect.poll(() => readFileSync(`/proc/${run.pid}/stat`, "latin1").split(") ")[1]?.[0]).toBe("T");
  expect(await kept.stop({ graceMs: 30_000 })).toMatchObject({ outcome: "ended", killed: 0 });
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 4 });
});

test("an interactive shell, which ignores TERM, goes by the HUP of its terminal", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/bash", "--norc", "-i"], mode: "pty" });
  await using kept = keeper.kept(run.id);
  await kept.write("echo $((40+2))\n");
  await outputContains(kept, "42");
  expect(await kept.stop({ graceMs: 30_000 })).toMatchObject({ outcome: "ended", killed: 0 });
  expect((await run.ended).exit).toEqual({ kind: "signaled", signal: 1, coreDumped: false });
});

test("what does not go within the grace is killed and reported", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(stubborn);
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  const before = performance.now();
  const result = await kept.stop({ graceMs: 300 });
  expect(performance.now() - before).toBeGreaterThanOrEqual(299);
  expect(result).toMatchObject({ outcome: "killed", left: 0 });
  expect(result.killed).toBeGreaterThan(0);
  expect(result.killedPids).toContain(run.pid);
  expect(await run.ended).toMatchObject({
    exit: { kind: "signaled", signal: 9, coreDumped: false },
    stopReason: "user",
  });
});

test("a grace of 0 kills without asking", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: answering("TERM", "asked", "exit") });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  expect(await kept.stop({ graceMs: 0 })).toMatchObject({ outcome: "killed" });
  expect((await run.ended).exit).toMatchObject({ signal: 9 });
  expect((await collectOutput(kept)).toString()).toBe("ready\n");
});

test("no-kill asks, tells what is left, and leaves it running", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(stubborn);
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  const result = await kept.stop({ graceMs: 200, noKill: true });
  expect(result).toMatchObject({ outcome: "still_there", killed: 0 });
  expect(result.left).toBeGreaterThan(0);
  expect(await kept.state()).toMatchObject({ state: "running" });
  expect(await kept.stop({ graceMs: 0 })).toMatchObject({ outcome: "killed" });
});

test("a second, more urgent stop shortens the first, and both are answered", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(stubborn);
  await using first = keeper.kept(run.id);
  await using second = keeper.kept(run.id);
  await outputContains(first, "ready");
  const slow = first.stop({ graceMs: 600_000, by: "first" });
  await expect.poll(async () => (await second.state()).state).toBe("stopping");
  const fast = second.stop({ graceMs: 0, by: "second" });
  expect((await Promise.all([slow, fast])).map((result) => result.outcome)).toEqual(["killed", "killed"]);
  expect((await run.ended).stopBy).toBe("first");
});

test("two stops of one client are both answered", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(stubborn);
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  const results = await Promise.all([kept.stop({ graceMs: 600_000 }), kept.stop({ graceMs: 100 })]);
  expect(results.map((result) => result.outcome)).toEqual(["killed", "killed"]);
});

test("stopping what has ended says so", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/true"] });
  await run.ended;
  await using kept = keeper.kept(run.id);
  expect(await kept.stop()).toEqual({ outcome: "had_ended", killed: 0, left: 0, killedPids: [] });
});

test("signals reach the child alone, or the whole tree", async () => {
  const keeper = await openKeeperHome();
  const job = `perl -e '${answering("USR1", "job", "exit")[2]}'`;
  const run = await keeper.shell(`trap 'echo main' USR1; ${job} & ${job} & while :; do wait; done`);
  await using kept = keeper.kept(run.id);
  await expect.poll(async () => (await kept.state()).outputBytes).toBe("ready\nready\n".length);
  expect(await kept.signal(10)).toBe(1);
  await outputContains(kept, "main\n");
  expect(await kept.signal(10, "tree")).toBe(3);
  await expect
    .poll(async () => (await collectOutput(kept, { follow: false })).toString().split("\n").toSorted())
    .toEqual(["", "job", "job", "main", "main", "ready", "ready"]);
  await kept.stop({ graceMs: 0 });
  await using later = keeper.kept(run.id);
  await expect(later.signal(10)).rejects.toMatchObject({ code: "PROCESS_ENDED" });
});
