// A confined process is kept like any other: terminal, input, exit, limits, stop of its tree, and successors of its keeper and launcher; with
// a mount namespace of root's, and with the user namespace that everybody else gets.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installBinary, type StartRequest } from "../../src/keeper/index.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { canConfine, devices, directoryFor, users } from "../support/confined-runs.ts";
import { openKeeperHome, outputContains, type KeeperHome } from "../support/keeper-home.ts";
import { makeNextBuild } from "../support/next-build.ts";
import { killNow, launcherPidOf, successorOf } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

const isRoot = process.getuid?.() === 0;
const ways = isRoot ? (["mount namespace", "user namespace"] as const) : (["user namespace"] as const);
type Way = (typeof ways)[number];

/** As root, a launcher without capabilities is as good as one of another user; root's number may only be mapped with setfcap. */
async function openHome(way: Way): Promise<KeeperHome> {
  const home = newTestHome();
  const binary = await installBinary(home);
  if (isRoot && way === "user namespace")
    execFileSync("setpriv", ["--bounding-set=-all,+setfcap", "--inh-caps=-all", binary, "launcher", home]);
  return await openKeeperHome(home, binary);
}

function requestFor(): Partial<StartRequest> & { readonly cwd: string } {
  const [user] = users;
  const cwd = directoryFor(user, "workspace");
  return { cwd, confinement: { ...devices, write: [cwd, ...devices.write] } };
}

function namespacesOf(pid: number): string {
  return ["mnt", "user", "pid"]
    .map((name) => execFileSync("readlink", [`/proc/${pid}/ns/${name}`]).toString())
    .join("");
}

test.runIf(canConfine).for(ways)("by a %s: the child alone is confined, its keeper is not", async (way) => {
  const keeper = await openHome(way);
  const request = requestFor();
  const run = await keeper.shell("echo ready; sleep 300", request);
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  const status = (pid: number): string => readFileSync(`/proc/${pid}/status`, "utf8");
  expect(status(run.pid)).toMatch(/^NoNewPrivs:\t1$/m);
  expect(status(run.keeperPid)).toMatch(/^NoNewPrivs:\t0$/m);
  expect(namespacesOf(run.keeperPid)).toBe(namespacesOf(process.pid));
  const user = (pid: number): string => execFileSync("readlink", [`/proc/${pid}/ns/user`]).toString();
  expect(user(run.pid) === user(process.pid)).toBe(way === "mount namespace");
  const { uid, gid } = { uid: process.getuid?.(), gid: process.getgid?.() };
  expect(status(run.pid)).toMatch(
    new RegExp(`^Uid:\\t${uid}\\t${uid}\\t${uid}\\t${uid}\nGid:\\t${gid}\\t`, "m"),
  );
});

test.runIf(canConfine).for(ways)("by a %s: terminal, job control, resize and signals", async (way) => {
  const keeper = await openHome(way);
  const run = await keeper.start({
    argv: ["/bin/bash", "--norc", "--noprofile", "-i"],
    env: { PATH: "/usr/bin:/bin", PS1: "prompt> ", HISTFILE: "/dev/null" },
    mode: "pty",
    ...requestFor(),
  });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "prompt> ");
  await kept.write("trap 'echo got winch' WINCH; sleep 300\n");
  // Known, and not the shell's own: before that Ctrl-Z would be typed at the prompt.
  const foreground = async (): Promise<number> => (await kept.state()).terminal?.foregroundGroup || run.pid;
  await expect.poll(foreground, { timeout: 10_000 }).not.toBe(run.pid);
  await kept.write(Buffer.from([26])); // Ctrl-Z
  await outputContains(kept, "Stopped");
  await kept.write("jobs; kill %1; wait; echo a-$((1 + 1))-b\n");
  await outputContains(kept, "a-2-b");
  await kept.resize(100, 40);
  await kept.write("stty size; exit 9\n");
  await outputContains(kept, "40 100");
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 9 });
});

test.runIf(canConfine).for(ways)(
  "by a %s: a tree that does everything to get away is stopped",
  async (way) => {
    const keeper = await openHome(way);
    const request = requestFor();
    for (const cgroup of ["auto", "off"] as const) {
      const argv = [compileFixture("refuse_to_die"), "10", "/dev/null"];
      const run = await keeper.start({ argv, cgroup, ...request });
      await using kept = keeper.kept(run.id);
      await expect
        .poll(async () => (await kept.state()).outputBytes)
        .toBeGreaterThanOrEqual("ready\n".length + 10);
      const result = await kept.stop({ graceMs: 50 });
      expect(result).toMatchObject({ outcome: "killed", left: 0 });
      expect(result.killed).toBeGreaterThanOrEqual(10);
    }
    const limited = await keeper.shell("sleep 300", { ...request, wallLimitMs: 50, graceMs: 0 });
    expect(await limited.ended).toMatchObject({
      stopReason: "timeout",
      exit: { kind: "signaled", signal: 9 },
    });
  },
);

test.runIf(canConfine).for(ways)(
  "by a %s: it stays confined and kept when keeper and launcher are killed",
  async (way) => {
    const keeper = await openHome(way);
    const request = requestFor();
    const outside = directoryFor(users[0], "outside");
    const script = `while read line; do echo "got $line"; ${compileFixture("attempt")} create ${outside}/x; done; setsid sleep 300 & exit 7`;
    const run = await keeper.shell(script, { ...request, stdin: "open", cgroup: "off" });
    await using kept = keeper.kept(run.id);
    await kept.write("one\n");
    await outputContains(kept, "got one\ncreate EROFS\n");
    await killNow(run.keeperPid);
    await successorOf(run.directory, run.keeperPid);
    await kept.write("two\n");
    await outputContains(kept, "got two\ncreate EROFS\n");
    await killNow(keeper.launcherPid());
    await expect.poll(() => launcherPidOf(keeper.home) !== undefined, { timeout: 10_000 }).toBe(true);
    await expect.poll(async () => (await keeper.launcher.status()).held, { timeout: 10_000 }).toBe(1);
    await kept.reexec(makeNextBuild(keeper.binary));
    await kept.write("three\n");
    await outputContains(kept, "got three\ncreate EROFS\n");
    await kept.closeStdin();
    expect((await kept.wait()).exit).toEqual({ kind: "exited", code: 7 });
    // The one that left session and parent is found by a keeper that is no ancestor of it, in another user namespace too.
    expect(await kept.stop({ graceMs: 0 })).toMatchObject({ left: 0, killed: 1 });
    expect(existsSync(join(outside, "x"))).toBe(false);
  },
);

test.runIf(canConfine).for(ways)(
  "by a %s: what cannot be entered or executed is told as without",
  async (way) => {
    const keeper = await openHome(way);
    const { cwd, confinement } = requestFor();
    writeFileSync(join(cwd, "script"), "#!/not/there\n", { mode: 0o755 });
    const outcomes = [
      { argv: ["/bin/true"], cwd: join(cwd, "none") },
      { argv: ["/not/there"], cwd },
      { argv: ["./script"], cwd },
      { argv: ["/bin/true"], cwd: keeper.home }, // its runs are hidden: there is nothing to enter but an empty directory
      { argv: ["/bin/true"], cwd: join(keeper.home, "runs") },
    ].map((request, index) =>
      keeper.launcher.start({ id: `t${index}`, env: {}, ...request, ...(confinement && { confinement }) }),
    );
    expect(
      (await Promise.all(outcomes)).map((outcome) => ("stage" in outcome ? outcome.stage : outcome.kind)),
    ).toEqual(["cwd", "exec", "interpreter", "started", "cwd"]);
  },
);
