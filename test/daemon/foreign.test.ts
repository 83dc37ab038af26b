// Two PID namespaces, one home: what a second container on the same volume sees and may do. Needs root.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { daemonExitCode } from "../../src/home/exit-codes.ts";
import { readPresence, readRecord, readStatusFile, type Presence } from "../../src/home/index.ts";
import { currentPidNamespace } from "../../src/util/process-identity.ts";
import { cliProgram, daemonProgram } from "../support/programs.ts";
import { holdHome, takeHome } from "../support/held-home.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const isRoot = process.getuid?.() === 0 && process.platform === "linux";
// Its first process ends with the one that made the namespace.
const elsewhere = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const readerProgram = join(import.meta.dirname, "../fixtures/read-presence.ts");

function runElsewhere(home: string, ...args: string[]) {
  const [command = "", ...before] = elsewhere;
  return spawnSync(command, [...before, process.execPath, ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: testDirectory(), HOLDFAST_HOME: home },
  });
}

function lookElsewhere(home: string): Presence {
  const { stdout, stderr } = runElsewhere(home, readerProgram, home);
  expect(stderr).toBe("");
  return (JSON.parse(stdout.replace("looking\n", "")) as { last: Presence }).last;
}

test.skipIf(!isRoot)(
  "a home that a daemon of another PID namespace has is refused, never taken for stale",
  async () => {
    const home = newTestHome();
    const holder = await holdHome(home, [], ["env", "container=podman", ...elsewhere]);
    expect(holder.pid).toBe(1); // where it is
    expect(readStatusFile(home)?.supervisor).toEqual({ kind: "container", name: "podman" });
    const record = readRecord(home);
    expect(record?.pidNamespace).not.toBe(currentPidNamespace());
    const seen = readPresence(home);
    expect(seen).toMatchObject({ state: "foreign", detail: "foreign", owner: { liveness: "foreign" } });
    expect(seen.owner?.pid).not.toBe(1); // as it is seen from outside
    expect(seen.reason).toContain(`process 1 of another PID namespace (${record?.pidNamespace})`);
    await expect(takeHome(home)).rejects.toMatchObject({
      code: "DAEMON_FOREIGN",
      details: { home, pid: 1, pidNamespace: record?.pidNamespace, version: "9.9.9" },
    });
    expect(readRecord(home)).toEqual(record);
    // From here everything can be seen: once it is gone, its record is stale.
    await holder.kill();
    await expect.poll(() => readPresence(home).state).toBe("stale");
    (await takeHome(home)).release({ state: "stopped", exitReason: "the test is over" });
  },
);

test.skipIf(!isRoot)(
  "from inside a container, where the holder cannot be seen at all, it is foreign too",
  async () => {
    const home = newTestHome();
    const holder = await holdHome(home);
    expect(lookElsewhere(home)).toMatchObject({
      state: "foreign",
      owner: { pid: holder.pid, liveness: "foreign" },
      record: { pid: holder.pid },
    });
    const refused = runElsewhere(home, daemonProgram);
    expect(refused.status, refused.stderr).toBe(daemonExitCode.anotherRuns);
    expect(refused.stderr).toContain("[DAEMON_FOREIGN]");
    expect(refused.stderr).toContain("HOLDFAST_HOME");
    const told = runElsewhere(home, cliProgram, "daemon", "status");
    expect(told.stdout).toMatch(/^state +foreign/);
    expect(readPresence(home)).toMatchObject({ state: "running", owner: { pid: holder.pid } });
    // Whether it still runs is not seen from there; a start finds out, since the lock is free.
    await holder.kill();
    expect(lookElsewhere(home)).toMatchObject({ state: "foreign" });
  },
);

test.skipIf(!isRoot)(
  "a lock that nobody in sight has, with no record, is somebody's all the same",
  async () => {
    const home = newTestHome();
    const holder = await holdHome(home, ["no-record"]);
    const refused = runElsewhere(home, daemonProgram);
    expect(refused.status, refused.stderr).toBe(daemonExitCode.anotherRuns);
    expect(refused.stderr).toContain("cannot be seen from here");
    await holder.kill();
  },
);

test.skipIf(!isRoot)("without /proc nothing is proven: unknown, not dead", async () => {
  const home = newTestHome();
  const holder = await holdHome(home);
  const script = 'mount -t tmpfs none /proc && exec "$@"';
  const looked = spawnSync(
    "unshare",
    ["--mount", "sh", "-c", script, "sh", process.execPath, readerProgram, home],
    {
      encoding: "utf8",
    },
  );
  const { last } = JSON.parse(looked.stdout.replace("looking\n", "")) as { last: Presence };
  expect(last).toMatchObject({ state: "unknown", owner: { pid: holder.pid, liveness: "unknown" } });
  expect(last.advice).toContain(`ps -p ${holder.pid}`);
  await holder.kill();
});
