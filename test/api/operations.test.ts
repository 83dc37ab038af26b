// The client against a real daemon: verbs, errors, sessions, aborts.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bootDaemon } from "../../src/daemon/boot.ts";
import { connect, type HoldfastError } from "../../src/sdk/index.ts";
import { operationNames, type OperationName } from "../../src/protocol/operations.ts";
import { connectedClient, wholeText } from "../support/connected-client.ts";
import { openDaemonHome, sharedDaemonHome } from "../support/daemon-home.ts";
import { killNow, launcherPidOf } from "../support/process-facts.ts";
import { newTestHome } from "../support/test-home.ts";

const shared = await sharedDaemonHome();

test("a process is started, waited for and read, on behalf of a session", async () => {
  const { home } = shared;
  const client = await connectedClient({ home, session: "agent é" });
  const started = await client.process.start({ command: "echo out; echo err >&2; exit 3" });
  expect(started).toMatchObject({ created: true, owner: { session: "agent é" } });
  const waited = await client.process.wait({ ids: [started.id] });
  expect(waited).toMatchObject({
    outcome: "met",
    results: [{ process: { exit: { kind: "exited", code: 3 } } }],
  });
  const { text, complete } = await client.process.output({ id: started.id });
  expect([text, complete]).toEqual(["out\nerr\n", true]);
  expect(client.daemonVersion).toMatch(/^\d+\.\d+\.\d+/);
});

/** Input no verb can take, and for verbs with a required field also none at all. */
const wrong: Partial<Record<OperationName, readonly unknown[]>> = {
  "process.start": [
    {},
    { command: "" },
    { command: [] },
    { command: "x", nice: 99 },
    { command: "x", name: "a b" },
    { command: "x", watches: [{ kind: "text", text: "" }] },
    { command: "x", watches: [{ kind: "smell" }] },
    { command: "x", shell: {} },
    { command: "x", shell: { session: "" } },
    { command: "x", waitMs: 0 },
  ],
  "watch.add": [
    {},
    { id: "a" },
    { id: "a", watch: { kind: "text" } },
    { id: "a", watch: { kind: "silence", ms: 0 } },
    { id: "a", watch: { kind: "exit", codes: [256] } },
    { id: "a", watch: { kind: "http", url: "ftp://x" } },
    { id: "a", watch: { kind: "text", text: "x", from: -1 } },
  ],
  "watch.list": [{}, { id: "" }],
  "watch.remove": [{}, { watch: "p_1" }],
  "watch.hits": [{}, { watch: "w_23456789bcdf", limit: 0 }],
  "process.list": [{ limit: 0 }, { states: ["asleep"] }],
  "process.get": [{}, { id: "" }, { id: 7 }],
  "process.output": [{}, { id: "a", from: -1 }, { id: "a", from: 1, line: 1 }, { id: "a", head: 5 }],
  "process.search": [
    {},
    { id: "a" },
    { id: "a", regex: "" },
    { id: "a", regex: "x", context: 21 },
    { id: "a", regex: "x", limit: 501 },
  ],
  "process.wait": [{}, { ids: [] }, { ids: ["a"], timeoutMs: 0 }, { ids: ["a"], timeoutMs: -5 }],
  "process.write": [{}, { id: "a", parts: [] }, { id: "a", parts: [{ base64: "%" }] }],
  "process.close-stdin": [{}],
  "process.resize": [{}, { id: "a", columns: "wide" }],
  "process.screen": [{}, { id: "" }, { id: "a", since: 7 }],
  "terminal.open": [{}, { key: "" }, { key: "a", cwd: "" }, { key: "a", restart: "yes" }],
  "terminal.list": [{ ended: "yes" }],
  "view.list": [{ id: "" }],
  "view.close": [{}, { id: "" }],
  "process.signal": [{}, { id: "a", signal: 0 }],
  "process.stop": [{ ids: "a" }, { graceMs: -1 }],
  "process.remove": [{}, { ids: [] }],
  "process.rename": [{}, { id: "a", name: "" }],
  "process.active": [{ youngerThanMs: 0 }],
  "session.interrupt": [{}, { session: "" }],
  "daemon.stop": [{ drainMs: -1 }, { drainMs: 2 ** 31 }, { restart: "yes" }],
  "config.get": [{}, { key: "" }],
  "config.set": [{}, { key: "A B", value: 1 }],
  "config.explain": [{}],
  "notifications.list": [{ limit: 0 }, { kinds: ["process.danced"] }, { states: ["asleep"] }, { after: -1 }],
  "notifications.get": [{}, { notice: "p_none" }],
  "notifications.claim": [
    {},
    { consumer: "" },
    { consumer: "c", leaseMs: 1 },
    { consumer: "c", waitMs: -1 },
    { consumer: "c", limit: 101 },
  ],
  "notifications.acknowledge": [{}, { notices: [] }, { notices: ["n_short"] }],
  "notifications.release": [{}, { notices: ["n_22222222222222222222"] }],
  "notifications.replay": [{}, { notice: "all" }],
  "notifications.dead": [{ limit: 0 }],
  "job.run": [
    {},
    { command: "" },
    { command: "x", notify: "never" },
    { command: "x", progress: { everyMs: 1 } },
  ],
  "job.list": [{ limit: 0 }],
  "job.get": [{}, { id: "" }],
  "job.result": [{}, { id: "" }],
  "barrier.set": [
    {},
    { session: "s" },
    { session: "s", for: {} },
    { session: "s", for: { pid: 0 } },
    { session: "s", for: { until: "later" } },
    { session: "s", for: { process: "p", pid: 1 } },
  ],
  "barrier.get": [{}, { session: "" }],
  "barrier.clear": [{}, { session: "" }],
  "session.get": [{}, { session: "" }],
  "session.end": [{}, { session: "s", graceMs: -1 }],
  "session.busy": [{}, { session: "s" }, { session: "s", by: "me", leaseMs: 1 }],
  "session.idle": [{}, { session: "s", by: "" }],
  "session.attend": [{}, { session: "" }],
  "delegation.start": [{}, { goal: "" }, { goal: "g", items: [] }, { goal: "g", pid: 0 }],
  "delegation.progress": [
    {},
    { delegation: "d_222222222222", items: [] },
    { delegation: "d_222222222222", items: [{ index: -1 }] },
  ],
  "delegation.finish": [{}, { delegation: "d_222222222222", items: [{ index: 0, status: "dancing" }] }],
  "delegation.cancel": [{}, { delegation: "none" }],
  "policy.check": [{}, { command: "" }, { command: [] }, { command: "x", profile: "" }],
  "policy.list": [{ profile: "" }],
  "policy.lift": [{}, { session: "" }, { session: "s", forMs: 0 }],
  "policy.restore": [{}, { session: "s", grant: "g_222222222222" }, { grant: "none" }],
  "approval.list": [{ limit: 0 }, { states: ["asleep"] }],
  "approval.answer": [
    {},
    { approval: "none", answer: "once" },
    { approval: "a_222222222222", answer: "maybe" },
  ],
  "audit.list": [{ limit: 0 }, { decision: "maybe" }, { after: -1 }],
  "token.create": [
    {},
    { name: "" },
    { name: "a b" },
    { name: "a", role: "root" },
    { name: "a", forMs: 0 },
    { name: "a", forMs: "1d" },
  ],
  "token.revoke": [{}, { token: "" }, { token: "x".repeat(65) }],
  "delegation.list": [{ limit: 0 }, { states: ["asleep"] }],
  "lock.acquire": [
    {},
    { scope: "s" },
    { scope: "not/plain", identity: "i" },
    { scope: "s", identity: "" },
    { scope: "s", identity: "i", pid: 0 },
    { scope: "s", identity: "i", waitMs: -1 },
    { scope: "s", identity: "i", waitMs: 86_400_001 },
    { scope: "s", identity: "i", meta: { k: "v".repeat(1_025) } },
    {
      scope: "s",
      identity: "i",
      meta: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, "v"])),
    },
  ],
  "lock.release": [{}, { scope: "s" }, { all: true, scope: "s", identity: "i" }, { all: "yes" }],
  "lock.list": [{ scope: "" }],
  gc: [{ dryRun: "yes" }],
};

test("invalid input for every verb: a coded error that names the field, and nothing is started", async () => {
  const { home } = shared;
  const client = await connectedClient({ home });
  const before = await client.process.list();
  let tried = 0;
  for (const name of operationNames) {
    for (const input of [...(wrong[name] ?? []), "text", [1]]) {
      const error = await client.call(name, input as never).catch((thrown: unknown) => thrown);
      const asked = `${name} ${JSON.stringify(input)}`;
      expect(error, asked).toMatchObject({ code: "INVALID_ARGUMENT" });
      const { problems } = (error as HoldfastError).details as {
        problems: { path: string; message: string }[];
      };
      expect(problems[0]?.message, asked).toMatch(/./);
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(80);
  expect(await client.process.list()).toEqual(before);
});

test("errors come back as they were: not found, unknown verb of a newer client", async () => {
  const { home } = shared;
  const client = await connectedClient({ home });
  await expect(client.process.get({ id: "nobody" })).rejects.toMatchObject({ code: "PROCESS_NOT_FOUND" });
  await expect(client.call("process.fly" as never, {} as never)).rejects.toMatchObject({
    code: "UNSUPPORTED_OPERATION",
    details: { operations: operationNames },
  });
  // A field of a newer client is passed over.
  const newer = { id: "nobody", colour: "green" };
  await expect(client.process.get(newer)).rejects.toMatchObject({ code: "PROCESS_NOT_FOUND" });
});

test("an aborted wait rejects with the caller's reason, and the process goes on", async () => {
  const { home } = shared;
  const client = await connectedClient({ home });
  const { id } = await client.process.start({ command: ["sleep", "60"] });
  const controller = new AbortController();
  const reason = new Error("enough");
  const waiting = client.process.wait({ ids: [id] }, { signal: controller.signal });
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(await client.process.get({ id })).toMatchObject({ state: "running" });
});

test("no daemon: an error at once; with a way to start one, it is started once", async () => {
  const home = newTestHome();
  await expect(connect({ home })).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });
  let starts = 0;
  const startDaemon = async (): Promise<void> => {
    starts += 1;
    await openDaemonHome({ home });
  };
  const client = await connectedClient({ home, startDaemon });
  expect(await client.daemon.status()).toMatchObject({ home });
  expect(starts).toBe(1);
});

test("a home on a path of 200 characters", async () => {
  const parent = newTestHome();
  const home = join(parent, "x".repeat(199 - parent.length));
  mkdirSync(home, { mode: 0o700 });
  const daemon = await bootDaemon({
    home,
    environment: process.env,
    listen: true,
    report: () => undefined,
    onStopRequested: () => undefined,
  });
  const client = await connectedClient({ home });
  expect(await client.daemon.status()).toMatchObject({ home });
  const { id } = await client.process.start({ command: "echo far" });
  expect(await wholeText(client.output(id))).toBe("far\n");
  await daemon.close();
  await killNow(launcherPidOf(home) ?? 0);
});
