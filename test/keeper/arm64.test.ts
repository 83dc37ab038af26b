// The arm64 build, run by qemu-user: launcher and keepers are emulated, the processes they keep are native ones.
// What is not run, and why, is in keeper/test/README.md.
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { KeptProcess, openAttachCommand, runsDirectory, scanRuns } from "../../src/keeper/index.ts";
import { collectOutput, completeRequest, openKeeperHome, outputContains } from "../support/keeper-home.ts";
import type { KeeperHome } from "../support/keeper-home.ts";
import { keeperPidOf, killNow } from "../support/process-facts.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const repository = join(import.meta.dirname, "../..");
const emulated = join(repository, "keeper/build/keeper-linux-arm64");
/** A program of this machine that is the arm64 keeper: whoever starts it need not know of the emulator. */
let wrapper = "";

beforeAll(() => {
  execFileSync("make", ["-s", "-C", join(repository, "keeper"), "arm64"], { stdio: "inherit" });
  wrapper = join(testDirectory(), "keeper-arm64");
  writeFileSync(wrapper, `#!/bin/sh\nexec qemu-aarch64-static "${emulated}" "$@"\n`);
  chmodSync(wrapper, 0o755);
});

async function openEmulated(): Promise<KeeperHome> {
  return await openKeeperHome(newTestHome(), wrapper);
}

test("it is an arm64 program without a dynamic linker, and of this contract", () => {
  expect(execFileSync(wrapper, ["version"], { encoding: "utf8" })).toMatch(/^keeper 1\.\d+ [0-9a-f]{16}\n$/);
  const elf = readFileSync(emulated);
  expect(elf.readUInt16LE(18)).toBe(183); // e_machine: EM_AARCH64
  const segments = Array.from({ length: elf.readUInt16LE(56) }, (_, i) =>
    elf.readUInt32LE(Number(elf.readBigUInt64LE(32)) + i * elf.readUInt16LE(54)),
  );
  expect(segments).toContain(1); // PT_LOAD
  expect(segments).not.toContain(3); // PT_INTERP
});

test.each(["split", "merged", "pty"] as const)("start, output and exit code, %s", async (mode) => {
  const keeper = await openEmulated();
  const run = await keeper.shell("echo out; echo err >&2; exit 7", { mode });
  const record = await run.ended;
  expect(record).toMatchObject({ exit: { kind: "exited", code: 7 }, stopReason: "none" });
  const output = (await collectOutput(keeper.kept(run.id))).toString().replaceAll("\r", "");
  expect(output.split("\n").toSorted()).toEqual(["", "err", "out"]);
});

test("a missing program is told by stage and errno", async () => {
  const keeper = await openEmulated();
  const outcome = await keeper.launcher.start(completeRequest({ argv: ["/no/such/program"] }));
  expect(outcome).toMatchObject({ kind: "failed", stage: "exec", errno: 2 });
});

test("a confined start is refused: the emulator has no Landlock", async () => {
  const keeper = await openEmulated();
  const confinement = { write: ["/dev/null"], hide: [], show: [] };
  const outcome = await keeper.launcher.start(completeRequest({ argv: ["/bin/true"], confinement }));
  expect(outcome).toMatchObject({ kind: "failed", stage: "landlock", errno: 38 });
});

test("stdin arrives byte for byte, through a pipe and through a terminal", async () => {
  const keeper = await openEmulated();
  const bytes = randomBytes(300_000);
  const run = await keeper.start({ argv: ["/usr/bin/sha256sum"], stdin: "open" });
  await using kept = keeper.kept(run.id);
  await kept.write(bytes);
  await kept.closeStdin();
  await run.ended;
  const expected = createHash("sha256").update(bytes).digest("hex");
  expect((await collectOutput(kept)).toString()).toBe(`${expected}  -\n`);
  const typed = await keeper.shell("stty -echo; echo ready; read line; echo got $line", { mode: "pty" });
  await using terminal = keeper.kept(typed.id);
  await outputContains(terminal, "ready");
  await terminal.write("typed\n");
  await outputContains(terminal, "got typed");
});

test("a stop ends the child, by TERM or by KILL", async () => {
  const keeper = await openEmulated();
  const polite = await keeper.start({ argv: ["/bin/sleep", "600"] });
  expect(await keeper.kept(polite.id).stop()).toMatchObject({ outcome: "ended", killed: 0 });
  const stubborn = await keeper.shell("trap '' TERM; echo ready; while :; do sleep 0.02; done");
  await using kept = keeper.kept(stubborn.id);
  await outputContains(kept, "ready");
  expect(await kept.stop({ graceMs: 100 })).toMatchObject({ outcome: "killed", left: 0 });
  expect((await stubborn.ended).exit).toMatchObject({ kind: "signaled", signal: 9 });
});

test("scan and attach on an ended run, by this build and by the native one alike", async () => {
  const keeper = await openEmulated();
  const run = await keeper.shell("seq 1 20000; exit 5");
  const record = await run.ended;
  await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
  const native = join(repository, "keeper/build/keeper-linux-x64");
  for (const binary of [wrapper, native]) {
    expect([...(await scanRuns(binary, runsDirectory(keeper.home)))]).toEqual([[run.id, "ended"]]);
    const attach = [binary, "attach", keeper.directory(run.id)];
    await using kept = new KeptProcess({ connect: () => Promise.resolve(openAttachCommand(attach)) });
    expect(await kept.wait()).toEqual(record);
    expect((await collectOutput(kept)).length).toBe(record.outputBytes);
  }
});

test("a keeper re-executes itself and keeps its child", async () => {
  const keeper = await openEmulated();
  const run = await keeper.shell("echo ready; read line; echo got $line; exit 3", { stdin: "open" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  await kept.reexec(wrapper);
  await kept.write("typed\n");
  await outputContains(kept, "got typed");
  expect((await kept.wait()).exit).toEqual({ kind: "exited", code: 3 });
});

test("a killed keeper's successor goes on with output and stdin", async () => {
  const keeper = await openEmulated();
  const run = await keeper.shell("echo ready; read line; echo got $line; exit 3", { stdin: "open" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  await killNow(keeperPidOf(run.directory));
  await kept.write("typed\n");
  await outputContains(kept, "got typed");
  // The emulated launcher is no subreaper, so nobody of ours could reap the child: its code is unknown, not invented.
  expect((await kept.wait()).exit).toMatchObject({ kind: "lost" });
});
