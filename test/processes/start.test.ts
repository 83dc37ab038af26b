import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome, sharedDaemonHome } from "../support/daemon-home.ts";
import { daemonSource } from "../support/programs.ts";
import { testDirectory } from "../support/test-home.ts";

// From the sources: a checkout must work as the package does.
const shared = await sharedDaemonHome({ program: daemonSource });

test("a string runs in a shell, a list as it is; cwd, labels, owner and origin are kept", async () => {
  const daemon = shared;
  const cwd = join(testDirectory(), "some where");
  mkdirSync(cwd, { recursive: true });
  const owner = { session: "s1", task: "t1", origin: { chat: 7 } };
  const id = await runToEnd(daemon, "pwd; exit 4", { cwd, labels: { a: "b" }, owner });
  expect(await ask(daemon, "process.get", { id })).toMatchObject({
    state: "ended",
    exit: { kind: "exited", code: 4 },
    cwd,
    labels: { a: "b" },
    owner: { session: "s1", task: "t1", profile: "default", origin: { chat: 7 } },
    lifetime: "task",
    lastLine: cwd,
  });
  const list = await ask(daemon, "process.start", { command: ["printf", "%s", "a b"], cwd: "/" });
  await ask(daemon, "process.wait", { ids: [list.id] });
  expect((await ask(daemon, "process.output", { id: list.id })).text).toBe("a b");
});

test("a program that cannot be executed is an ended process that says why", async () => {
  const daemon = shared;
  const missing = await ask(daemon, "process.start", { command: ["/no/such/program"], cwd: "/" });
  expect(missing).toMatchObject({ state: "ended", exit: { kind: "spawn_failed", stage: "exec", errno: 2 } });
  const nowhere = await ask(daemon, "process.start", { command: "true", cwd: "/no/such/directory" });
  expect(nowhere).toMatchObject({ state: "ended", exit: { kind: "spawn_failed", stage: "cwd" } });
  expect(await ask(daemon, "process.list", { states: ["running", "starting"] })).toMatchObject({
    processes: [],
  });
});

test("a name belongs to one living process: ensure finds it, another command is refused, replace stops it first", async () => {
  const daemon = shared;
  const first = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/", name: "dev" });
  expect(first.created).toBe(true);
  const again = await ask(daemon, "process.start", {
    command: "sleep 1000",
    cwd: "/",
    name: "dev",
    ensure: true,
  });
  expect(again).toMatchObject({ id: first.id, created: false });
  const other = { command: "sleep 2000", cwd: "/", name: "dev" };
  expect(await refused(daemon, "process.start", { ...other, ensure: true })).toMatchObject({
    code: "NAME_IN_USE",
    status: 409,
  });
  expect(await refused(daemon, "process.start", other)).toMatchObject({ code: "NAME_IN_USE" });
  const second = await ask(daemon, "process.start", { ...other, replace: true });
  expect(second.id).not.toBe(first.id);
  expect(await ask(daemon, "process.get", { id: first.id })).toMatchObject({
    state: "ended",
    stopReason: "replaced",
  });
  expect((await ask(daemon, "process.get", { id: "dev" })).id).toBe(second.id);
});

test("a replacement that is refused costs nothing: the one that has the name goes on", async () => {
  const daemon = shared;
  const named = { command: "sleep 1000", cwd: "/", name: "kept" };
  const { id } = await ask(daemon, "process.start", named);
  const wrong: Array<[string, object]> = [
    ["INVALID_ARGUMENT", { cwd: "relative" }],
    ["INVALID_ARGUMENT", { cwd: "/a\0b" }],
    ["INVALID_ARGUMENT", { command: ["echo", "a\0b"] }],
    ["INVALID_ARGUMENT", { command: ["true"], shell: { session: "s2" } }],
    ["INVALID_ARGUMENT", { confine: { write: ["/no/such/directory"] } }],
    ["INVALID_ARGUMENT", { watches: [{ kind: "regex", regex: "(a)\\1" }] }],
    ["INVALID_ARGUMENT", { limits: { wallMs: 1e15 } }],
    ["REQUEST_TOO_LARGE", { command: ["echo", "x".repeat(9_000_000)] }],
  ];
  for (const [code, more] of wrong)
    expect(await refused(daemon, "process.start", { ...named, ...more, replace: true })).toMatchObject({
      code,
    });
  expect(await ask(daemon, "process.get", { id })).toMatchObject({ state: "running", name: "kept" });
  const { processes } = await ask(daemon, "process.list", {});
  expect(processes.filter(({ name }) => name === "kept").map((process) => process.id)).toEqual([id]);
});

test("ensure means one that runs: where the one of that name is being stopped, its successor is started", async () => {
  const daemon = shared;
  const gate = join(testDirectory(), "may-end");
  execFileSync("mkfifo", [gate]);
  // Asked to end, it does so when it may: opening the gate for reading waits for whoever opens it for writing.
  const command = `trap 'read -r line < "${gate}"; exit 0' TERM; echo ready; while :; do sleep 1000 & wait $!; done`;
  const named = { command: ["sh", "-c", command], cwd: "/", name: "leaving", ensure: true };
  const { id } = await ask(daemon, "process.start", named);
  const ready = { kind: "match", text: "ready" } as const;
  await ask(daemon, "process.wait", { ids: [id], for: ready });
  const stopping = ask(daemon, "process.stop", { ids: [id], graceMs: 600_000 });
  const stateOf = async (): Promise<string> => (await ask(daemon, "process.get", { id })).state;
  await expect.poll(stateOf, { timeout: 20_000 }).toBe("stopping");
  const ensured = ask(daemon, "process.start", named);
  await writeFile(gate, "now\n");
  expect(await stopping).toMatchObject({ results: [{ outcome: "ended" }] });
  const successor = await ensured;
  expect(successor).toMatchObject({ created: true, state: "running" });
  expect(successor.id).not.toBe(id);
  await ask(daemon, "process.stop", { ids: [successor.id], graceMs: 0 });
});

test("twenty starts with one idempotency key at once make one process, also across kill -9 of the daemon", async () => {
  const daemon = shared;
  const input = { command: "sleep 1000", cwd: "/", idempotencyKey: "k1" };
  const starts = await Promise.all(Array.from({ length: 20 }, () => ask(daemon, "process.start", input)));
  expect(new Set(starts.map((start) => start.id)).size).toBe(1);
  expect(starts.filter((start) => start.created)).toHaveLength(1);
  await daemon.kill();
  await daemon.start();
  expect(await ask(daemon, "process.start", input)).toMatchObject({
    id: starts[0]?.id,
    created: false,
    state: "running",
  });
});

test("the cap on running processes holds for starts at once, refuses with a code and ends nobody", async () => {
  const daemon = await openDaemonHome({ environment: { HOLDFAST_PROCESSES_MAX_RUNNING: "2" } });
  const sleep = { command: "sleep 1000", cwd: "/" };
  // One that fails gives its place back.
  await refused(daemon, "process.start", { ...sleep, cwd: "relative" });
  await ask(daemon, "process.start", { command: ["/no/such/program"], cwd: "/" });
  const starts = await Promise.all(
    Array.from({ length: 12 }, (_, at) => daemon.call("process.start", { ...sleep, name: `n${at}` })),
  );
  expect(starts.filter(({ status }) => status === 200)).toHaveLength(2);
  const others = starts.filter(({ status }) => status !== 200);
  for (const { status, body } of others)
    expect({ status, body }).toMatchObject({ status: 429, body: { error: { code: "TOO_MANY_PROCESSES" } } });
  expect((await ask(daemon, "process.active", {})).running).toBe(2);
  // One that takes the place of another needs none besides.
  const at = starts.findIndex(({ status }) => status === 200);
  const replaced = await ask(daemon, "process.start", { ...sleep, name: `n${at}`, replace: true });
  expect(replaced).toMatchObject({ created: true, state: "running" });
  expect((await ask(daemon, "process.active", {})).running).toBe(2);
});

test("environment: caller's, added, removed, exact; the daemon's own never leaks; values are nowhere on disk", async () => {
  const daemon = await openDaemonHome({ environment: { DAEMON_SECRET: "leak-me-not" } });
  const environment = {
    caller: { PATH: "/usr/sbin:/usr/bin:/bin", GONE: "1" },
    set: { ADDED: "value-on-no-disk" },
    remove: ["GONE"],
  };
  const id = await runToEnd(daemon, "env | sort", { environment });
  const text = (await ask(daemon, "process.output", { id })).text ?? "";
  expect(text).toContain("ADDED=value-on-no-disk");
  expect(text).toContain("PYTHONUNBUFFERED=1");
  expect(text).not.toMatch(/GONE=|DAEMON_SECRET/);
  const exact = await ask(daemon, "process.start", {
    command: ["/usr/bin/env"],
    cwd: "/",
    environment: { set: { ONLY: "x" }, exact: true },
  });
  await ask(daemon, "process.wait", { ids: [exact.id] });
  expect((await ask(daemon, "process.output", { id: exact.id })).text).toBe("ONLY=x\n");
  expect((await ask(daemon, "process.get", { id })).environmentNames).toContain("ADDED");
  await ask(daemon, "process.remove", { ids: [id, exact.id] });
  const found = execFileSync("sh", ["-c", `grep -rl value-on-no-disk '${daemon.home}' || true`]).toString();
  expect(found).toBe("");
});
