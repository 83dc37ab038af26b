// A start that fails is told as (stage, errno), leaves a record of it and no process.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installBinary, readRunDirectory } from "../../src/keeper/index.ts";
import type { StartStage } from "../../src/protocol/exit.ts";
import {
  completeRequest,
  nextRunId,
  openKeeperHome,
  type KeeperHome,
  type PartialRequest,
} from "../support/keeper-home.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const { E2BIG, EACCES, ENOENT, ENOEXEC, ENOSPC, ENOTDIR, EPERM } = constants.errno;
const isRoot = process.getuid?.() === 0;

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return ""; // gone in this instant
  }
}

function childrenOf(pid: number): string {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  // Keepers that were forked ahead of need have started nothing.
  return children.filter((child) => !commandOf(child).includes("\0keep\0.spare-")).join(" ");
}

function writeProgram(name: string, text: string, mode = 0o755): string {
  const path = join(testDirectory(), name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

interface Failure {
  readonly told: unknown;
  readonly recorded: unknown;
}

async function failureOf(keeper: KeeperHome, request: PartialRequest): Promise<Failure> {
  const complete = completeRequest(request);
  const { id, ...told } = await keeper.launcher.start(complete);
  const { exit } = await readRunDirectory(keeper.directory(id));
  // Looked for until there is none: a spare keeper that was forked this moment does not show its name yet.
  await expect.poll(() => childrenOf(keeper.launcherPid())).toBe("");
  return { told, recorded: exit?.exit };
}

function failed(stage: StartStage, errno: number): Failure {
  return {
    told: { kind: "failed", stage, errno },
    recorded: { kind: "spawn_failed", stage, errno },
  };
}

test("a missing working directory is told", async () => {
  const keeper = await openKeeperHome();
  expect(await failureOf(keeper, { argv: ["/bin/true"], cwd: "/nowhere/at/all" })).toEqual(
    failed("cwd", ENOENT),
  );
});

test("a working directory that is a file is told", async () => {
  const keeper = await openKeeperHome();
  expect(await failureOf(keeper, { argv: ["/bin/true"], cwd: "/etc/passwd" })).toEqual(
    failed("cwd", ENOTDIR),
  );
});

test("a missing program is told, by path and by name", async () => {
  const keeper = await openKeeperHome();
  expect(await failureOf(keeper, { argv: ["/nowhere/program"] })).toEqual(failed("exec", ENOENT));
  expect(await failureOf(keeper, { argv: ["no-such-program-anywhere"] })).toEqual(failed("exec", ENOENT));
  expect(await failureOf(keeper, { argv: ["/bin/true"], program: "/nowhere/program" })).toEqual(
    failed("exec", ENOENT),
  );
  expect(await failureOf(keeper, { argv: ["/nowhere/program"], mode: "pty" })).toEqual(
    failed("exec", ENOENT),
  );
});

test("a program that may not be executed is told, also when only the search finds it", async () => {
  const keeper = await openKeeperHome();
  const program = writeProgram("not-executable", "#!/bin/sh\n", 0o644);
  expect(await failureOf(keeper, { argv: [program] })).toEqual(failed("exec", EACCES));
  const env = { PATH: `${testDirectory()}:/bin` };
  expect(await failureOf(keeper, { argv: ["not-executable"], env })).toEqual(failed("exec", EACCES));
  expect(await failureOf(keeper, { argv: ["/etc"] })).toEqual(failed("exec", EACCES));
});

test("a script whose interpreter is missing is told apart from a missing script", async () => {
  const keeper = await openKeeperHome();
  const program = writeProgram("bad-interpreter", "#!/nowhere/interpreter\n");
  expect(await failureOf(keeper, { argv: [program] })).toEqual(failed("interpreter", ENOENT));
});

test("a file in no executable format is told", async () => {
  const keeper = await openKeeperHome();
  expect(await failureOf(keeper, { argv: [writeProgram("no-format", "plain text\n")] })).toEqual(
    failed("exec", ENOEXEC),
  );
});

test("arguments that the kernel does not take are told", async () => {
  const keeper = await openKeeperHome();
  const one = "x".repeat(200_000);
  expect(await failureOf(keeper, { argv: ["/bin/true", one] })).toEqual(failed("exec", E2BIG));
  const many = Array.from({ length: 80 }, () => "x".repeat(100_000));
  expect(await failureOf(keeper, { argv: ["/bin/true", ...many] })).toEqual(failed("exec", E2BIG));
});

test("a resource limit that is not permitted is told", async () => {
  const keeper = await openKeeperHome();
  // Above fs.nr_open: refused to everybody, root included.
  const rlimits = { nofile: { soft: 1024, hard: 2 ** 40 } };
  expect(await failureOf(keeper, { argv: ["/bin/true"], rlimits })).toEqual(failed("rlimit", EPERM));
});

test("a soft limit above the hard one is told", async () => {
  const keeper = await openKeeperHome();
  const rlimits = { nofile: { soft: 200, hard: 100 } };
  expect(await failureOf(keeper, { argv: ["/bin/true"], rlimits })).toEqual(
    failed("rlimit", constants.errno.EINVAL),
  );
});

test.skipIf(!isRoot)("no more terminals is told, and the id stays free", async () => {
  const home = newTestHome();
  const binary = await installBinary(home);
  // A devpts of two terminals, in a mount namespace that only this launcher and its keepers see.
  const script = `mount -t devpts -o newinstance,ptmxmode=0666,max=2 devpts /dev/pts && exec "$0" launcher "$1"`;
  execFileSync("unshare", ["--mount", "/bin/sh", "-c", script, binary, home]);
  const keeper = await openKeeperHome(home);
  const held = [];
  for (let i = 0; i < 2; i++) held.push(await keeper.start({ argv: ["/bin/cat"], mode: "pty" }));
  const request = completeRequest({ argv: ["/bin/cat"], mode: "pty" });
  const outcome = await keeper.launcher.start(request);
  expect(outcome).toEqual({ kind: "failed", id: request.id, stage: "pty", errno: ENOSPC });
  expect(existsSync(keeper.directory(request.id))).toBe(false);
  const [first] = held;
  await keeper.kept(first?.id ?? "").stop({ graceMs: 0 });
  await expect.poll(async () => (await keeper.launcher.start(request)).kind).toBe("started");
});

test("an id that exists is refused, and nothing second is started", async () => {
  const keeper = await openKeeperHome();
  const note = join(testDirectory(), "claimed");
  const request = completeRequest({ argv: ["/bin/sh", "-c", `echo run >> ${note}; exec sleep 600`] });
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => keeper.launcher.start(request)));
  const started = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value.kind] : []));
  const reasons = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
  expect(started).toEqual(["started"]);
  expect(reasons).toMatchObject(Array.from({ length: 7 }, () => ({ code: "RUN_CLAIMED" })));
  await expect.poll(() => existsSync(note) && readFileSync(note, "utf8")).toBe("run\n");
  await using kept = keeper.kept(request.id);
  await kept.stop({ graceMs: 0 });
  await expect(keeper.launcher.start(request)).rejects.toMatchObject({ code: "RUN_CLAIMED" });
  await expect.poll(() => childrenOf(keeper.launcherPid())).toBe("");
  expect(readFileSync(note, "utf8")).toBe("run\n");
});

test("a directory that somebody made forbids the start of its id", async () => {
  const keeper = await openKeeperHome();
  const id = nextRunId();
  execFileSync("mkdir", [keeper.directory(id)]);
  await expect(keeper.start({ argv: ["/bin/true"], id })).rejects.toMatchObject({ code: "RUN_CLAIMED" });
});
