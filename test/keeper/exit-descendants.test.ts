// The end of the child is told at once; what it leaves behind is counted, still heard, and can be stopped.
import { expect, test } from "vitest";
import { readRunDirectory } from "../../src/keeper/index.ts";
import { readProcessStat } from "../../src/util/process-identity.ts";
import { collectOutput, openKeeperHome, outputContains } from "../support/keeper-home.ts";

test.each(["split", "merged", "pty"] as const)(
  "a grandchild that holds the output of a %s child delays no exit record, and is heard until it ends",
  async (mode) => {
    const keeper = await openKeeperHome();
    // It says its word only after the end has been told, so that this test proves the order.
    const waiting = `perl -e '$|=1; $SIG{USR1} = sub { print "later\\n"; exit }; print "up\\n"; sleep 1 while 1'`;
    const script = `trap "" HUP; ${waiting} & exit 5`;
    const run = await keeper.shell(script, { mode });
    const record = await run.ended;
    expect(record.exit).toEqual({ kind: "exited", code: 5 });
    expect(record.descendants).toBeGreaterThan(0);
    await using kept = keeper.kept(run.id);
    const state = await kept.state();
    expect(state).toMatchObject({ state: "ended", isOutputClosed: false });
    expect(state.descendants).toBeGreaterThan(0);
    await outputContains(kept, "up");
    const following = collectOutput(kept);
    expect(await kept.signal(10, "tree")).toBeGreaterThan(0);
    const end = mode === "pty" ? "\r\n" : "\n";
    expect((await following).toString()).toBe(`up${end}later${end}`);
    // The record is of the moment of the end and does not change.
    expect((await readRunDirectory(run.directory)).exit).toEqual(record);
    await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
  },
);

test("a descendant that left session and parents is counted, and a stop after the end reaches it", async () => {
  const keeper = await openKeeperHome();
  for (const cgroup of ["auto", "off"] as const) {
    const script = "setsid sh -c '(sleep 600 & echo pid $!)'; exit 0";
    const run = await keeper.shell(script, { cgroup });
    expect(await run.ended).toMatchObject({ exit: { kind: "exited", code: 0 }, descendants: 1 });
    await using kept = keeper.kept(run.id);
    await outputContains(kept, "pid ");
    expect(await kept.state()).toMatchObject({ state: "ended", descendants: 1 });
    const pid = Number(/\d+/.exec((await collectOutput(kept, { follow: false })).toString())?.[0]);
    expect(await kept.stop({ graceMs: 30_000 })).toMatchObject({ outcome: "ended", left: 0 });
    // Gone, or dead and about to be reaped.
    expect([undefined, "Z"]).toContain(readProcessStat(pid)?.state);
    // The stop came after the end: the record of the end is not rewritten.
    expect((await readRunDirectory(run.directory)).exit?.stopReason).toBe("none");
    await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
    expect(await kept.stop()).toMatchObject({ outcome: "had_ended" });
  }
});

test("the keeper leaves with the last descendant", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("sleep 600 & exit 0");
  expect(await run.ended).toMatchObject({ descendants: 1 });
  await using kept = keeper.kept(run.id);
  expect(await kept.signal(15, "tree")).toBe(1);
  await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
});
