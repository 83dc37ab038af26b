// `keeper attach` speaks a run's frames on stdin and stdout, through whatever carries them, live or ended alike.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KeptProcess, openAttachCommand, readRunDirectory } from "../../src/keeper/index.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { collectOutput, openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import { testDirectory } from "../support/test-home.ts";

/** The run as somebody sees it who has nothing but a shell. */
function throughShell(keeper: KeeperHome, id: string): KeptProcess {
  const argv = ["/bin/sh", "-c", `"$0" attach "$1"`, keeper.binary, keeper.directory(id)];
  return new KeptProcess({ connect: () => Promise.resolve(openAttachCommand(argv)) });
}

async function nobodyLeft(keeper: KeeperHome): Promise<void> {
  await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
}

test("a live run: state, output, stdin, resize, signal and stop", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("stty -echo; echo ready; cat; stty size; exec cat", { mode: "pty" });
  await using kept = throughShell(keeper, run.id);
  expect(await kept.state()).toMatchObject({ state: "running", pid: run.pid });
  await outputContains(kept, "ready");
  await kept.write("typed\n");
  await outputContains(kept, "typed\r\n");
  await kept.resize(70, 20);
  await kept.closeStdin();
  await outputContains(kept, "20 70");
  expect(await kept.signal(28)).toBe(1);
  const waiting = kept.wait();
  expect(await kept.stop()).toMatchObject({ outcome: "ended" });
  expect(await waiting).toEqual(await run.ended);
});

test("much output and much input, each byte once", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("random_stream");
  const run = await keeper.shell(`${program} 20000000; exec cat`, { stdin: "open" });
  await using kept = throughShell(keeper, run.id);
  const bytes = Buffer.alloc(2_000_000, "0123456789abcdef\n");
  const following = collectOutput(kept);
  await kept.write(bytes);
  await kept.closeStdin();
  const seen = await following;
  expect(seen.length).toBe(22_000_000);
  expect(seen.subarray(20_000_000).equals(bytes)).toBe(true);
  expect(seen.equals(await collectOutput(keeper.kept(run.id)))).toBe(true);
});

test("an ended run with no keeper left", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("seq 1 100000; echo done >&2; exit 6");
  const record = await run.ended;
  await nobodyLeft(keeper);
  await using kept = throughShell(keeper, run.id);
  const text = (await collectOutput(kept)).toString();
  expect(text.length).toBe(record.outputBytes);
  expect(text).toContain("\n99999\n100000\n");
  expect((await collectOutput(kept, { from: record.outputBytes - 5 })).length).toBe(5);
  expect(await kept.state()).toMatchObject({ state: "ended", stdin: "closed", isOutputClosed: true });
  expect(await kept.wait()).toEqual(record);
  expect(await kept.stop()).toMatchObject({ outcome: "had_ended" });
  await expect(kept.write("x")).rejects.toMatchObject({ code: "PROCESS_ENDED" });
  await expect(kept.resize(80, 24)).rejects.toMatchObject({ code: "PROCESS_ENDED" });
});

test("an ended run tells marks and what was dropped as a live one does", async () => {
  const keeper = await openKeeperHome();
  const limits = { headLimitBytes: 10_000, tailLimitBytes: 40_000 };
  const run = await keeper.shell("seq 1 100000; read end", { ...limits, stdin: "open" });
  await using live = throughShell(keeper, run.id);
  await expect.poll(async () => (await live.state()).outputBytes).toBe(588_895);
  const before = await Array.fromAsync(live.output({ marks: true }));
  await live.closeStdin();
  await run.ended;
  await nobodyLeft(keeper);
  await using ended = throughShell(keeper, run.id);
  const after = await Array.fromAsync(ended.output({ marks: true }));
  const withoutData = (events: typeof before) =>
    events.filter(({ kind }) => kind === "mark" || kind === "missing");
  expect(withoutData(after)).toEqual(withoutData(before));
  expect(withoutData(after).filter(({ kind }) => kind === "missing")).toHaveLength(1);
  const missing = after.find((event) => event.kind === "missing");
  const from = missing?.kind === "missing" ? missing.from : -1;
  await expect(Array.fromAsync(ended.output({ from }))).rejects.toMatchObject({ code: "OUTPUT_TRIMMED" });
});

test("a socket file that was removed is bound again for it", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  rmSync(join(run.directory, "sock"));
  await using kept = throughShell(keeper, run.id);
  await kept.write("bound again\n");
  await outputContains(kept, "bound again");
  expect(existsSync(join(run.directory, "sock"))).toBe(true);
});

test("what is no run, or has no end and nobody to keep it, is told by exit code 69", async () => {
  const keeper = await openKeeperHome();
  const empty = join(testDirectory(), "no-run");
  mkdirSync(empty);
  const attach = (...args: string[]) =>
    spawnSync(keeper.binary, ["attach", ...args], { input: "", encoding: "utf8" });
  expect(attach("/nowhere/at/all")).toMatchObject({ status: 69 });
  expect(attach("/nowhere/at/all").stderr).toContain("No such file");
  expect(attach(empty)).toMatchObject({ status: 69 });
  expect(attach()).toMatchObject({ status: 64 });
});

test("it goes with its link, and the run goes on", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  const before = throughShell(keeper, run.id);
  await before.write("one ");
  before.close();
  await using after = throughShell(keeper, run.id);
  await after.write("two");
  await after.closeStdin();
  expect((await after.wait()).exit).toEqual({ kind: "exited", code: 0 });
  expect((await collectOutput(after)).toString()).toBe("one two");
  expect((await readRunDirectory(run.directory)).exit?.outputBytes).toBe(7);
});
