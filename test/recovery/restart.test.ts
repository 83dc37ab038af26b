import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newProcessId } from "../../src/protocol/ids.ts";
import { Store } from "../../src/store/index.ts";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { killNow } from "../support/process-facts.ts";

test("after kill -9 of the daemon a live process goes on with output, stdin, size and stop; one that ended meanwhile has its true exit", async () => {
  const daemon = await openDaemonHome();
  const counter = 'i=0; while read line; do i=$((i+1)); echo "$i $line"; done; exit 6';
  const live = await ask(daemon, "process.start", {
    command: counter,
    cwd: "/",
    stdin: "open",
    name: "counter",
  });
  const terminal = await ask(daemon, "process.start", { command: ["cat"], cwd: "/", mode: "pty" });
  const ending = await ask(daemon, "process.start", {
    command: "read line; exit 9",
    cwd: "/",
    stdin: "open",
  });
  await ask(daemon, "process.write", { id: live.id, parts: [{ text: "before\n" }] });
  await ask(daemon, "process.close-stdin", { id: ending.id });
  await daemon.kill();
  await daemon.start();
  expect(await ask(daemon, "process.get", { id: "counter" })).toMatchObject({
    id: live.id,
    state: "running",
    pid: live.pid,
    startedAt: live.startedAt,
  });
  await ask(daemon, "process.write", { id: live.id, parts: [{ text: "after\n" }] });
  await ask(daemon, "process.wait", {
    ids: [live.id],
    for: { kind: "match", text: "2 after" },
    timeoutMs: 10_000,
  });
  expect(await ask(daemon, "process.resize", { id: terminal.id, columns: 99, rows: 33 })).toMatchObject({
    columns: 99,
  });
  expect(
    (await ask(daemon, "process.wait", { ids: [ending.id], timeoutMs: 10_000 })).results[0]?.process.exit,
  ).toEqual({ kind: "exited", code: 9 });
  await ask(daemon, "process.close-stdin", { id: live.id });
  expect(
    (await ask(daemon, "process.wait", { ids: [live.id], timeoutMs: 10_000 })).results[0]?.process.exit,
  ).toEqual({ kind: "exited", code: 6 });
  expect((await ask(daemon, "process.output", { id: live.id })).text).toBe("1 before\n2 after\n");
  expect((await ask(daemon, "process.stop", { ids: [terminal.id] })).results[0]?.outcome).toBe("ended");
});

test("SIGTERM ends the daemon and leaves the processes running", async () => {
  const daemon = await openDaemonHome();
  const { id, pid } = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  await daemon.terminate();
  expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain("sleep");
  await daemon.start();
  expect(await ask(daemon, "process.get", { id })).toMatchObject({ state: "running", pid });
});

test("what was starting when the daemon died is failed and never starts; a row without a directory is told as lost", async () => {
  const daemon = await openDaemonHome();
  const kept = await runToEnd(daemon, "echo kept");
  await daemon.kill();
  const store = await Store.open({ file: join(daemon.home, "holdfast.db") });
  const template = await store.processes.get(kept);
  if (template === undefined) throw new Error("the row is gone");
  const fresh = {
    ...template,
    exit: null,
    endedAt: null,
    startedAt: null,
    pid: null,
    childStart: null,
    name: null,
  };
  const starting = newProcessId();
  const vanished = newProcessId();
  await store.processes.insert({ ...fresh, id: starting, state: "starting" });
  await store.processes.insert({
    ...fresh,
    id: vanished,
    state: "running",
    pid: 4_000_000,
    startedAt: Date.now(),
  });
  await store.close();
  await daemon.start();
  expect(await ask(daemon, "process.get", { id: starting })).toMatchObject({
    state: "ended",
    exit: { kind: "spawn_failed", stage: "keeper" },
  });
  expect(await ask(daemon, "process.get", { id: vanished })).toMatchObject({
    state: "ended",
    exit: { kind: "lost" },
  });
  expect(await ask(daemon, "process.get", { id: kept })).toMatchObject({ exit: { kind: "exited", code: 0 } });
});

test("a lost or damaged database is rebuilt from the run directories, live and ended, and nothing is deleted", async () => {
  const daemon = await openDaemonHome();
  const live = await ask(daemon, "process.start", {
    command: "sleep 1000",
    cwd: "/",
    name: "web",
    labels: { a: "b" },
    owner: { session: "s1", origin: { n: 1 } },
  });
  const ended = await runToEnd(daemon, "echo bye; exit 7");
  const renamed = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/", name: "first" });
  await ask(daemon, "process.rename", { id: "first", name: "old" });
  const second = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/", name: "first" });
  const unnamed = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/", name: "gone" });
  await ask(daemon, "process.rename", { id: "gone", name: null });
  await daemon.kill();
  for (const name of readdirSync(daemon.home).filter((file) => /^holdfast\.db-(wal|shm)$/.test(file)))
    rmSync(join(daemon.home, name));
  writeFileSync(
    join(daemon.home, "holdfast.db"),
    "this is not a database, whatever its name says".repeat(1000),
  );
  await daemon.start();
  expect(await ask(daemon, "process.get", { id: "web" })).toMatchObject({
    id: live.id,
    state: "running",
    labels: { a: "b" },
    owner: { session: "s1", origin: { n: 1 } },
    pid: live.pid,
  });
  for (const [id, name] of [
    [renamed.id, "old"],
    [second.id, "first"],
    [unnamed.id, null],
  ] as const)
    expect((await ask(daemon, "process.get", { id })).name).toBe(name);
  expect(await ask(daemon, "process.get", { id: ended })).toMatchObject({
    command: "echo bye; exit 7",
    exit: { kind: "exited", code: 7 },
  });
  const status = await ask(daemon, "daemon.status", {});
  expect(status).toMatchObject({ state: "degraded", running: 4 });
  expect(status.problems.join(" ")).toContain(daemon.home);
  const aside = readdirSync(daemon.home).filter(
    (name) => name.startsWith("holdfast.db") && !/^holdfast\.db(-wal|-shm)?$/.test(name),
  );
  expect(aside.length).toBeGreaterThan(0);
  expect((await ask(daemon, "process.stop", { ids: ["web"] })).results[0]?.outcome).toBe("ended");
});

test("processes of an earlier boot end as lost, and no pid is touched", async () => {
  const daemon = await openDaemonHome();
  const { id, pid } = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  await daemon.kill();
  const directory = join(daemon.home, "runs", id);
  const keeper = Number(/^pid (\d+)$/m.exec(readFileSync(join(directory, "keeper"), "utf8"))?.[1]);
  const launcher = Number(/^pid (\d+)$/m.exec(readFileSync(join(daemon.home, "launcher.lock"), "utf8"))?.[1]);
  await killNow(launcher);
  await killNow(keeper);
  const spec = join(directory, "spec");
  writeFileSync(
    `${spec}.new`,
    readFileSync(spec, "utf8").replace(/^boot .*$/m, "boot 00000000-0000-0000-0000-000000000000"),
  );
  renameSync(`${spec}.new`, spec);
  await daemon.start();
  expect(await ask(daemon, "process.get", { id })).toMatchObject({ state: "ended", exit: { kind: "lost" } });
  expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toContain("sleep");
  process.kill(pid ?? 0, "SIGKILL"); // a stranger's by now, as far as Holdfast knows; this test started it
});

test("a second daemon in the same home is refused and disturbs nothing", async () => {
  const daemon = await openDaemonHome();
  const { id } = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  const first = daemon.pid();
  await expect(daemon.start()).rejects.toThrow(/Another daemon has this home/);
  expect(await ask(daemon, "daemon.status", {})).toMatchObject({ pid: first, running: 1 });
  expect((await ask(daemon, "process.get", { id })).state).toBe("running");
  expect(await refused(daemon, "process.nonsense", {})).toMatchObject({ code: "UNSUPPORTED_OPERATION" });
});
