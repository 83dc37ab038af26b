import { expect, test } from "vitest";
import { collectOutput, openKeeperHome, outputContains } from "../support/keeper-home.ts";

test("a pipe process tells its output and exit code", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("echo out; echo err >&2; exit 7");
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 7 });
  expect((await collectOutput(keeper.kept(run.id))).toString()).toContain("out");
});

test("a terminal echoes, answers and is stopped", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/bash", "--norc", "-i"], mode: "pty", columns: 100, rows: 30 });
  const kept = keeper.kept(run.id);
  await kept.write("stty size; echo $((40+2))\n");
  await outputContains(kept, "30 100");
  await outputContains(kept, "42");
  const result = await kept.stop();
  expect(result.outcome).toBe("ended");
  expect((await run.ended).exit).toEqual({ kind: "signaled", signal: 1, coreDumped: false });
  kept.close();
});

test("a killed keeper has a successor", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("i=0; while read line; do echo $i $line; i=$((i+1)); done; exit 9", { stdin: "open" });
  const kept = keeper.kept(run.id);
  await kept.write("one\n");
  await outputContains(kept, "0 one");
  process.kill(run.keeperPid, "SIGKILL");
  await kept.write("two\n");
  await outputContains(kept, "1 two");
  await kept.closeStdin();
  expect((await kept.wait()).exit).toEqual({ kind: "exited", code: 9 });
  kept.close();
});
