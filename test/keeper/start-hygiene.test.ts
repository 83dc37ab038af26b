// The child gets exactly what was asked for, and nothing of the launcher or of the program that asked.
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installBinary, type StartRequest } from "../../src/keeper/index.ts";
import { readProcessStat } from "../../src/util/process-identity.ts";
import { collectOutput, openKeeperHome, type KeeperHome } from "../support/keeper-home.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

async function outputOf(keeper: KeeperHome, argv: readonly string[], more: Partial<StartRequest> = {}) {
  const run = await keeper.start({ argv, ...more });
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
  return (await collectOutput(keeper.kept(run.id))).toString();
}

/** A launcher whose own process has everything that must not reach a child. */
async function openDirtyHome(): Promise<KeeperHome> {
  const home = newTestHome();
  const binary = await installBinary(home);
  const script =
    `trap "" HUP INT QUIT TERM PIPE USR1 USR2 TSTP CHLD; umask 0; cd /usr; ulimit -Sn 200; ` +
    `exec 7</etc/passwd 9>>"$1/stray"; exec nice -n 5 "$0" launcher "$1"`;
  execFileSync("/bin/sh", ["-c", script, binary, home], { env: { STRAY: "1", PATH: "/usr/bin:/bin" } });
  return await openKeeperHome(home);
}

test("an exact environment is that list of bytes, in that order", async () => {
  const keeper = await openKeeperHome();
  const env = { Z: "1", A: "two words", EMPTY: "", LINES: "a\nb=c", WIDE: "\u00e9\u4e16\u{1f600}" };
  const text = await outputOf(keeper, ["/bin/cat", "/proc/self/environ"], { env, environmentIsExact: true });
  expect(text).toBe("Z=1\0A=two words\0EMPTY=\0LINES=a\nb=c\0WIDE=\u00e9\u4e16\u{1f600}\0");
});

test("otherwise one variable is added, which names the run", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({
    argv: ["/bin/cat", "/proc/self/environ"],
    env: { A: "1", HOLDFAST_RUN: "/the/callers" },
  });
  await run.ended;
  const text = (await collectOutput(keeper.kept(run.id))).toString();
  expect(text).toBe(`A=1\0HOLDFAST_RUN=${run.directory}\0`);
});

test.each(["split", "merged", "pty"] as const)(
  "a %s child has no descriptor beyond 0, 1, 2",
  async (mode) => {
    const keeper = await openDirtyHome();
    const text = await outputOf(keeper, ["/bin/sh", "-c", "ls /proc/$$/fd"], { mode, stdin: "open" });
    expect(text.trim().split(/\s+/)).toEqual(["0", "1", "2"]);
  },
);

test("signal dispositions and mask are the default ones, whatever the launcher has", async () => {
  const keeper = await openDirtyHome();
  const launcher = readFileSync(`/proc/${keeper.launcherPid()}/status`, "utf8");
  const text = await outputOf(keeper, ["/bin/cat", "/proc/self/status"]);
  for (const field of ["SigBlk", "SigIgn", "SigCgt", "SigPnd", "ShdPnd"])
    expect(new RegExp(`^${field}:\\s*(\\w+)$`, "m").exec(text)?.[1], field).toBe("0000000000000000");
  // The launcher really has what the child must not have.
  expect(/^SigIgn:\s*(\w+)$/m.exec(launcher)?.[1]).not.toBe("0000000000000000");
});

test("umask, niceness and open-file limits are the asker's own when nothing is asked for", async () => {
  const keeper = await openDirtyHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  const own = readFileSync("/proc/self/status", "utf8");
  const child = readFileSync(`/proc/${run.pid}/status`, "utf8");
  const umask = /^Umask:.*$/m;
  expect(umask.exec(child)?.[0]).toBe(umask.exec(own)?.[0]);
  const openFiles = /^Max open files.*$/m;
  expect(openFiles.exec(readFileSync(`/proc/${run.pid}/limits`, "utf8"))?.[0]).toBe(
    openFiles.exec(readFileSync("/proc/self/limits", "utf8"))?.[0],
  );
  expect(niceOf(run.pid)).toBe(niceOf(process.pid));
});

function niceOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "latin1");
  return Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[16]);
}

test("umask, niceness and limits that are asked for are set", async () => {
  const keeper = await openKeeperHome();
  const made = join(testDirectory(), "made-with-umask");
  const run = await keeper.start({
    argv: ["/bin/sh", "-c", `: > ${made}; echo ready; exec cat`],
    stdin: "open",
    umask: 0o027,
    nice: 7,
    rlimits: { nofile: { soft: 123, hard: 456 }, fsize: { soft: 1_000_000, hard: "infinity" } },
  });
  await expect.poll(() => readFileSync(`/proc/${run.pid}/comm`, "utf8")).toBe("cat\n");
  const limits = readFileSync(`/proc/${run.pid}/limits`, "utf8");
  expect(limits).toMatch(/^Max open files\s+123\s+456\s/m);
  expect(limits).toMatch(/^Max file size\s+1000000\s+unlimited\s/m);
  expect(niceOf(run.pid)).toBe(7);
  expect(statSync(made).mode & 0o777).toBe(0o640);
});

test.each(["split", "pty"] as const)("a %s child leads its own session and group", async (mode) => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], mode, stdin: "open" });
  const fields = readFileSync(`/proc/${run.pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  const [, parent, group, session, terminal, foreground] = fields.map(Number);
  expect([parent, group, session]).toEqual([run.keeperPid, run.pid, run.pid]);
  expect(readProcessStat(run.pid)?.startTime).toBe(run.childStart);
  // A process without a terminal has -1 for the group in its foreground.
  expect([terminal !== 0, foreground]).toEqual(mode === "pty" ? [true, run.pid] : [false, -1]);
});

test("working directory, arguments and program are as asked, and the kernel takes the child before its keeper", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({
    argv: ["a name of its own", "-e", "sleep 600", "", "two words", "\u00fc"],
    program: "/usr/bin/perl",
    cwd: testDirectory(),
    stdin: "open",
  });
  expect(readlinkSync(`/proc/${run.pid}/cwd`)).toBe(testDirectory());
  expect(readFileSync(`/proc/${run.pid}/cmdline`, "utf8")).toBe(
    "a name of its own\0-e\0sleep 600\0\0two words\0\u00fc\0",
  );
  const score = (pid: number): number => Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));
  expect(score(run.pid)).toBeGreaterThan(score(run.keeperPid));
});

test("the spec names the variables of the environment and never their values", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/true"], env: { TOKEN: "value-that-nobody-stores" } });
  await run.ended;
  const found = execFileSync("sh", ["-c", `grep -rl value-that-nobody-stores ${keeper.home} || true`]);
  expect(found.toString()).toBe("");
  expect(readFileSync(join(run.directory, "spec"), "utf8")).toContain("env TOKEN\n");
});
