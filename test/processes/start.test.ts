import { mkdirSync } from "node:fs";
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

test("the cap on running processes refuses with a code and ends nobody", async () => {
  const daemon = await openDaemonHome({ environment: { HOLDFAST_PROCESSES_MAX_RUNNING: "2" } });
  for (let i = 0; i < 2; i++) await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  expect(await refused(daemon, "process.start", { command: "true", cwd: "/" })).toMatchObject({
    code: "TOO_MANY_PROCESSES",
    status: 429,
  });
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
  const { execFileSync } = await import("node:child_process");
  const found = execFileSync("sh", ["-c", `grep -rl value-on-no-disk '${daemon.home}' || true`]).toString();
  expect(found).toBe("");
});
