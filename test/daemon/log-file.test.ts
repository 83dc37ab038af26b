// What the daemon writes into its log, and what never.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectedClient, wholeText } from "../support/connected-client.ts";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import {
  askAs,
  entriesOfRequest,
  loggedEntries,
  logFiles,
  logLines,
  logText,
  sendRaw,
} from "../support/daemon-logs.ts";

const verbose = { HOLDFAST_LOG_LEVEL: "debug" };

test("it rotates under load: lines are whole, in order, ours alone, and none is missing", async () => {
  const environment = { ...verbose, HOLDFAST_LOG_FILE_BYTES: "4096", HOLDFAST_LOG_FILES: "1000" };
  const daemon = await openDaemonHome({ environment });
  const ids = Array.from({ length: 300 }, (_, number) => `r_load_${number}`);
  await Promise.all(ids.map((id) => askAs(daemon.socketPath, id)));
  const files = logFiles(daemon.home);
  expect(files.length).toBeGreaterThan(10);
  for (const path of files) {
    const { size, mode } = statSync(path);
    expect(size).toBeLessThanOrEqual(4_096);
    expect(mode & 0o777).toBe(0o600);
  }
  const entries = loggedEntries(daemon.home);
  for (const id of ids)
    expect(
      entries.filter(({ requestId }) => requestId === id),
      id,
    ).toHaveLength(1);
  const times = entries.map(({ time }) => time);
  expect(times).toEqual(times.toSorted());
});

test("only so many files stay", async () => {
  const environment = { ...verbose, HOLDFAST_LOG_FILE_BYTES: "4096", HOLDFAST_LOG_FILES: "3" };
  const daemon = await openDaemonHome({ environment });
  const numbers = Array.from({ length: 150 }, (_, number) => number);
  await Promise.all(numbers.map((number) => askAs(daemon.socketPath, `r_${number}`)));
  await askAs(daemon.socketPath, "r_newest");
  expect(logFiles(daemon.home)).toHaveLength(3);
  expect(entriesOfRequest(daemon.home, "r_newest")).toHaveLength(1);
});

test("the level follows the configuration while the daemon runs; requests are told at debug only", async () => {
  const daemon = await openDaemonHome();
  await askAs(daemon.socketPath, "r_before");
  await ask(daemon, "config.set", { key: "log.level", value: "debug" });
  await askAs(daemon.socketPath, "r_debug");
  writeFileSync(join(daemon.home, "holdfast.yaml"), "log:\n  level: warn\n");
  const level = async (): Promise<unknown> => (await ask(daemon, "config.get", { key: "log.level" })).value;
  await expect.poll(level, { timeout: 10_000 }).toBe("warn");
  await askAs(daemon.socketPath, "r_after");
  writeFileSync(join(daemon.home, "holdfast.yaml"), "log:\n  level: hunter2\n");
  await expect
    .poll(() => logText(daemon.home), { timeout: 10_000 })
    .toContain("the configuration has a problem");
  expect(logText(daemon.home)).not.toContain("hunter2");
  expect(entriesOfRequest(daemon.home, "r_before")).toEqual([]);
  expect(entriesOfRequest(daemon.home, "r_after")).toEqual([]);
  expect(entriesOfRequest(daemon.home, "r_debug")).toMatchObject([
    { level: "debug", verb: "process.list", durationMs: expect.any(Number) as number },
  ]);
  writeFileSync(join(daemon.home, "holdfast.yaml"), "");
});

test("a stream is in the log, and whoever was answered with an error finds its request there", async () => {
  const daemon = await openDaemonHome({ environment: verbose });
  const id = await runToEnd(daemon, "echo x");
  const client = await connectedClient({ home: daemon.home });
  expect(await wholeText(client.output(id, { from: 0, follow: true }))).toBe("x\n");
  const opened = loggedEntries(daemon.home).filter(({ msg }) => msg === "stream opened");
  expect(opened).toMatchObject([
    { route: "/v1/process.output/live", requestId: expect.stringMatching(/^r_/) as string },
  ]);
  const run = join(daemon.home, "runs", id);
  // Output that is no file: nobody foresees that.
  for (const name of readdirSync(run).filter((file) => file.endsWith(".log"))) {
    rmSync(join(run, name));
    mkdirSync(join(run, name));
  }
  const { socketPath } = daemon;
  const internal = await sendRaw({ socketPath, path: "/v1/process.output", body: JSON.stringify({ id }) });
  expect(internal.status).toBe(500);
  const [entry] = entriesOfRequest(daemon.home, internal.requestId);
  expect(entry).toMatchObject({ level: "error", verb: "process.output", processId: id, code: "INTERNAL" });
  expect(JSON.stringify(entry?.["err"])).toContain("EISDIR");
  expect(entriesOfRequest(daemon.home, internal.requestId)).toHaveLength(1);
  const cases = [
    { path: "/v1/process.get", body: '{"id":"nobody"}', code: "PROCESS_NOT_FOUND" },
    { path: "/v1/process.get", body: "{}", code: "INVALID_ARGUMENT" },
    { path: "/v1/process.get", body: "{", code: "INVALID_ARGUMENT" },
    { path: "/v1/process.fly", body: "{}", code: "UNSUPPORTED_OPERATION" },
    { path: "/nothing", body: "{}", code: "NOT_FOUND" },
  ];
  for (const { path, body, code } of cases) {
    const { requestId } = await sendRaw({ socketPath, path, body });
    expect(entriesOfRequest(daemon.home, requestId), `${path} ${body}`).toMatchObject([
      { level: "debug", code },
    ]);
  }
});

test("nothing secret is in it, at any level and whatever is sent", async () => {
  const daemon = await openDaemonHome({
    environment: { HOLDFAST_LOG_LEVEL: "trace", DAEMON_SECRET: "sekret-daemon" },
  });
  const { socketPath } = daemon;
  const start = { cwd: "/", stdin: "open" as const };
  const { id } = await ask(daemon, "process.start", {
    ...start,
    command: ["sh", "-c", "cat", "sekret-argument"],
    environment: { set: { TOKEN: "sekret-value" } },
    name: "box",
  });
  await ask(daemon, "process.write", { id, parts: [{ text: "sekret-typed\n" }] });
  await ask(daemon, "process.write", { id, parts: [{ text: "sekret-secret\n" }], secret: true });
  await refused(daemon, "process.start", { ...start, command: ["true", "sekret-again"], name: "box" });
  await refused(daemon, "process.start", { ...start, command: "sekret-command", cwd: "sekret-directory" });
  await ask(daemon, "process.start", { ...start, command: ["/nowhere/sekret-program"] });
  await refused(daemon, "process.start", { command: ["a"], environment: { set: { "sekret-name": 5 } } });
  await refused(daemon, "process.get", { id: "sekret-id" });
  await refused(daemon, "config.set", { key: "stop.graceMs", value: "sekret-setting" });
  await refused(daemon, "process.signal", { id, signal: "sekret-signal" });
  const bodies = [
    '{"command":"sekret-json',
    '"sekret-text"',
    '{"command":["sekret-null\\u0000"]}',
    '{"sekret-key":1}',
  ];
  for (const body of bodies)
    await sendRaw({
      socketPath,
      path: "/v1/process.start",
      body,
      headers: { authorization: "Bearer sekret-token" },
    });
  await sendRaw({ socketPath, path: "/v1/sekret-verb?token=sekret-query" });
  await sendRaw({ socketPath, path: "/%zzsekret-path" });
  await ask(daemon, "process.stop", { ids: [id], graceMs: 0 });
  await daemon.terminate();
  expect(logLines(daemon.home).length).toBeGreaterThan(20);
  expect(logLines(daemon.home).filter((line) => line.includes("sekret"))).toEqual([]);
});
