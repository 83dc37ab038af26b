// Two releases on one home: the newer takes over everything, each understands the other, and the older one refuses what it cannot know.
import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { readPresence } from "../../src/home/index.ts";
import { locateBinary } from "../../src/keeper/binary.ts";
import type { DaemonStatus } from "../../src/protocol/daemon.ts";
import type { ProcessDetail, ProcessView } from "../../src/protocol/process.ts";
import { storeVersion } from "../../src/store/index.ts";
import { buildPackage, type BuiltPackage } from "../support/built-package.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { readyDaemonProgram, runDaemonProgram } from "../support/daemon-program.ts";
import { snapshotOf } from "../support/file-snapshot.ts";
import { makeNextBuild } from "../support/next-build.ts";
import { freeze, killNow, launcherPidOf, thaw, untilDead } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

const older = buildPackage("0.0.9");
const newer = withNextKeeper(buildPackage("9.9.9"));

/** A release with a keeper of its own build. */
function withNextKeeper(release: BuiltPackage): BuiltPackage {
  const folder = join(release.cli, "../../keeper/build");
  rmSync(folder);
  mkdirSync(folder);
  copyFileSync(makeNextBuild(locateBinary()), join(folder, basename(locateBinary())));
  return release;
}

interface TwoReleases {
  readonly home: string;
  readonly old: CliHome;
  readonly next: CliHome;
}

/** Ended by the newer one: the older may not be able to any more. */
function openHome(): TwoReleases {
  const next = openCliHome(newTestHome(), newer.cli);
  const old: CliHome = {
    ...next,
    run: (args, options) => next.run(args, { program: older.cli, ...options }),
    json: (args, options) => next.json(args, { program: older.cli, ...options }),
  };
  return { home: next.home, old, next };
}

function statusOf(cli: CliHome): Promise<DaemonStatus> {
  return cli.json<DaemonStatus>(["daemon", "status", "--json"]);
}

const echo = 'while read line; do echo "got $line"; done; exit 6';

test("`daemon restart` of a newer release takes over every process; both command lines work with both daemons", async () => {
  const { old, next, home } = openHome();
  await old.json(["daemon", "start", "--json"]);
  await old.run(["run", "-d", "-i", "--name", "echo", "--", "sh", "-c", echo]);
  await old.run(["run", "-d", "--name", "screen", "--pty", "--", "cat"]);
  await old.run(["run", "-d", "--name", "done", "--", "sh", "-c", "echo kept; exit 4"]);
  await old.run(["wait", "done"]);
  const before = await next.json<ProcessView[]>(["ps", "-a", "--json"]);
  expect(before).toHaveLength(3);
  const { pid } = await statusOf(next);
  expect(await statusOf(old)).toMatchObject({ pid, version: "0.0.9" });
  expect(await next.run(["send", "echo", "one", "--enter"])).toMatchObject({ code: 0 });
  expect(await next.json(["daemon", "restart", "--json"])).toMatchObject({
    before: { pid, version: "0.0.9" },
    after: { version: "9.9.9", running: 2 },
    how: "replaced",
  });
  await untilDead(pid);
  // The new one has a keeper of its own build; the processes keep theirs.
  expect(readdirSync(join(home, "bin"))).toHaveLength(2);
  const after = await old.json<ProcessView[]>(["ps", "-a", "--json"]);
  expect(after.map(({ id, pid: child, startedAt }) => ({ id, child, startedAt }))).toEqual(
    before.map(({ id, pid: child, startedAt }) => ({ id, child, startedAt })),
  );
  expect(await old.run(["send", "echo", "two", "--enter"])).toMatchObject({ code: 0 });
  await old.run(["wait", "echo", "--for", "log:got two", "--timeout", "10s"]);
  expect((await old.run(["logs", "echo"])).stdout).toBe("got one\ngot two\n");
  expect(await old.json<ProcessDetail>(["show", "done", "--json"])).toMatchObject({
    exit: { kind: "exited", code: 4 },
  });
  expect(await old.run(["run", "--", "sh", "-c", "exit 5"])).toMatchObject({ code: 5 });
  expect(await next.run(["run", "--", "sh", "-c", "exit 7"])).toMatchObject({ code: 7 });
});

/** As a release that does not exist yet would leave it. */
function setStoreVersion(home: string, version: number): void {
  const database = new DatabaseSync(join(home, "holdfast.db"));
  database.prepare("update meta set value = ? where key = 'schema_version'").run(String(version));
  database.close();
}

/** SQLite's index of its log is rebuilt by whoever looks first after a crash; it is no data. */
function withoutLogIndex(snapshot: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot).filter(([path]) => !path.endsWith("-shm")));
}

// As many as the launcher keeps (keeper/src/spares.c).
const wantedSpares = 8;

function readySpares(home: string): number {
  const runs = join(home, "runs");
  const spares = readdirSync(runs).filter((name) => name.startsWith(".spare-"));
  const keepers = spares.map((name) => statSync(join(runs, name, "keeper"), { throwIfNoEntry: false }));
  return keepers.filter((file) => file !== undefined && file.size > 0).length;
}

/** Of a home whose launcher does nothing more until the test is over: it makes directories ahead of need, at moments of its own. */
async function quietSnapshot(home: string): Promise<Record<string, string>> {
  const launcher = launcherPidOf(home);
  if (launcher === undefined) throw new Error("no launcher runs");
  // Each writes its own files, when it gets its turn.
  await expect.poll(() => readySpares(home)).toBe(wantedSpares);
  await freeze(launcher);
  onTestFinished(() => thaw(launcher));
  let last = snapshotOf(home);
  const hasSettled = (): boolean => {
    const before = JSON.stringify(last);
    last = snapshotOf(home);
    return JSON.stringify(last) === before;
  };
  await expect.poll(hasSettled, { interval: 100 }).toBe(true);
  return last;
}

test("an older release refuses a newer store, and touches nothing of the home", async () => {
  const { old, next, home } = openHome();
  const id = await next.background("--", "sleep", "60");
  await next.run(["daemon", "stop"]);
  setStoreVersion(home, 99);
  const before = await quietSnapshot(home);
  expect(before[`runs/${id}/spec`]).toBeDefined();
  for (const args of [[], ["--replace"]]) {
    const daemon = runDaemonProgram(home, { program: older.daemon, args: ["--json", ...args] });
    expect(await daemon.outcome).toBe(78);
    expect(JSON.parse(daemon.stderr())).toMatchObject({
      error: { code: "STORE_TOO_NEW", details: { version: 99 } },
    });
  }
  for (const args of [["ps"], ["daemon", "start"], ["daemon", "restart"]]) {
    const { code, stderr } = await old.run(args);
    expect(stderr).toMatch(/^holdfast: .*version 99.* \[STORE_TOO_NEW\]\n.+\n$/);
    expect(code).toBe(6);
  }
  for (const verb of ["stop", "status"]) expect(await old.run(["daemon", verb])).toMatchObject({ code: 0 });
  expect(snapshotOf(home)).toEqual(before);
  setStoreVersion(home, storeVersion);
});

test("also when the newer release was killed and its log is not yet in the store", async () => {
  const { home } = openHome();
  const daemon = await readyDaemonProgram(home, { program: newer.daemon });
  const holder = new DatabaseSync(join(home, "holdfast.db")); // keeps the log from being put into the store
  holder.prepare("select count(*) from meta").get();
  setStoreVersion(home, 99);
  await killNow(daemon.pid);
  const before = withoutLogIndex(await quietSnapshot(home));
  expect(before["holdfast.db-wal"]).toBeDefined();
  const refused = runDaemonProgram(home, { program: older.daemon, args: ["--json"] });
  expect(await refused.outcome).toBe(78);
  expect(withoutLogIndex(snapshotOf(home))).toEqual(before);
  setStoreVersion(home, storeVersion);
  holder.close();
});

test("an older release does not send away the newer one that runs", async () => {
  const { old, next, home } = openHome();
  const daemon = await readyDaemonProgram(home, { program: newer.daemon });
  setStoreVersion(home, 99);
  const refused = await old.run(["daemon", "restart"]);
  expect(refused, refused.stderr).toMatchObject({ code: 6, stdout: "" });
  expect(refused.stderr).toContain("[STORE_TOO_NEW]");
  expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: daemon.pid } });
  expect(await old.run(["ps", "-q"])).toMatchObject({ code: 0 });
  expect(await statusOf(next)).toMatchObject({ pid: daemon.pid, version: "9.9.9" });
  setStoreVersion(home, storeVersion);
});
