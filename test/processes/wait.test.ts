import { createServer } from "node:http";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { ask, refused, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome, sharedDaemonHome } from "../support/daemon-home.ts";
import { holdUpMatcher } from "../support/held-up-matcher.ts";
import { newTestHome, testDirectory } from "../support/test-home.ts";

const shared = await sharedDaemonHome();

test("a wait for several returns at the first or at the last, and a timeout leaves them alone", async () => {
  const daemon = shared;
  const quick = await ask(daemon, "process.start", { command: "exit 3", cwd: "/" });
  const slow = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  const ids = [quick.id, slow.id];
  const any = await ask(daemon, "process.wait", { ids, mode: "any", timeoutMs: 30_000 });
  expect(any).toMatchObject({
    outcome: "met",
    results: [{ outcome: "met", process: { exit: { code: 3 } } }, { outcome: "pending" }],
  });
  const all = await ask(daemon, "process.wait", { ids, timeoutMs: 50 });
  expect(all).toMatchObject({
    outcome: "timeout",
    results: [{ outcome: "met" }, { outcome: "pending", process: { state: "running" } }],
  });
  expect(await refused(daemon, "process.wait", { ids, timeoutMs: 0 })).toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("any goes on past one that ends, as long as another may meet it; all means all", async () => {
  const daemon = shared;
  const ended = await runToEnd(daemon, "true");
  const { id } = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  const ids = [ended, id];
  const path = join(testDirectory(), "of-one");
  const any = ask(daemon, "process.wait", { ids, mode: "any", for: { kind: "file", path } });
  writeFileSync(path, "");
  expect(await any).toMatchObject({ outcome: "met", results: [{}, { outcome: "met" }] });
  const quiet = { kind: "idle", ms: 100 } as const;
  expect(await ask(daemon, "process.wait", { ids, mode: "all", for: quiet })).toMatchObject({
    outcome: "ended",
    results: [{ outcome: "ended" }, { outcome: "met" }],
  });
  const never = { kind: "match", text: "never" } as const;
  expect(await ask(daemon, "process.wait", { ids: [ended], mode: "any", for: never })).toMatchObject({
    outcome: "ended",
  });
  // A longer timer would fire at once.
  const tooLong = { ids, for: { kind: "idle", ms: 2 ** 31 } };
  expect(await refused(daemon, "process.wait", tooLong)).toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("a port without a host is one of either loopback address; brackets of a host are not part of it", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  const server = createServer((_request, response) => response.end("ok"));
  server.listen(0, "::1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  for (const host of [{}, { host: "::1" }, { host: "[::1]" }])
    expect(
      await ask(daemon, "process.wait", { ids: [id], for: { kind: "port", port, ...host } }),
    ).toMatchObject({ outcome: "met" });
  server.close();
});

test("a wait without a timeout lasts as long as the project of its process says", async () => {
  const cwd = newTestHome();
  writeFileSync(join(cwd, "holdfast.yaml"), "wait: {defaultMs: 10}\n");
  const { id } = await ask(shared, "process.start", { command: "sleep 1000", cwd });
  expect(await ask(shared, "process.wait", { ids: [id] })).toMatchObject({ outcome: "timeout" });
});

test("a match is found in what was written before and in what comes, across chunks, and in a prompt without a newline", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command: "echo early; printf 'ready on '; sleep 0.2; echo port 80; printf 'name: '; cat",
    cwd: "/",
    stdin: "open",
  });
  const match = (condition: object): Promise<unknown> =>
    ask(daemon, "process.wait", { ids: [id], for: { kind: "match", ...condition }, timeoutMs: 20_000 });
  expect(await match({ text: "early" })).toMatchObject({
    outcome: "met",
    results: [{ match: { offset: 0, line: "early" } }],
  });
  expect(await match({ regex: "ready on port \\d+" })).toMatchObject({
    results: [{ match: { line: "ready on port 80" } }],
  });
  expect(await match({ text: "name:" })).toMatchObject({ results: [{ match: { line: "name: " } }] });
  expect(
    await refused(daemon, "process.wait", { ids: [id], for: { kind: "match", regex: "(a)\\1" } }),
  ).toMatchObject({ code: "INVALID_ARGUMENT" });
  const ending = ask(daemon, "process.wait", {
    ids: [id],
    for: { kind: "match", text: "never" },
    timeoutMs: 20_000,
  });
  await ask(daemon, "process.close-stdin", { id });
  expect(await ending).toMatchObject({
    outcome: "ended",
    results: [{ outcome: "ended", process: { state: "ended" } }],
  });
});

test("all that an ended process wrote is looked at before it is said to have ended, however long that takes", async () => {
  const daemon = await openDaemonHome();
  const id = await runToEnd(daemon, "echo last words");
  const letGo = holdUpMatcher(join(daemon.home, "runs", id));
  const match = (text: string, timeoutMs: number): Promise<unknown> =>
    ask(daemon, "process.wait", { ids: [id], for: { kind: "match", text }, timeoutMs });
  expect(await match("last words", 2_000)).toMatchObject({ outcome: "timeout" });
  letGo();
  expect(await match("last words", 20_000)).toMatchObject({ outcome: "met" });
  expect(await match("never", 20_000)).toMatchObject({ outcome: "ended" });
});

test("port, http, file and silence are waited for", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", { command: "echo once; sleep 1000", cwd: "/" });
  const server = createServer((_request, response) => response.end("ok"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const met = { outcome: "met" };
  expect(
    await ask(daemon, "process.wait", { ids: [id], for: { kind: "port", port }, timeoutMs: 20_000 }),
  ).toMatchObject(met);
  expect(
    await ask(daemon, "process.wait", {
      ids: [id],
      for: { kind: "http", url: `http://127.0.0.1:${port}/` },
      timeoutMs: 20_000,
    }),
  ).toMatchObject(met);
  server.closeAllConnections();
  server.close();
  const path = join(testDirectory(), "appears");
  const file = ask(daemon, "process.wait", { ids: [id], for: { kind: "file", path }, timeoutMs: 20_000 });
  writeFileSync(path, "");
  expect(await file).toMatchObject(met);
  expect(
    await ask(daemon, "process.wait", { ids: [id], for: { kind: "idle", ms: 100 }, timeoutMs: 20_000 }),
  ).toMatchObject(met);
  const closed = await ask(daemon, "process.wait", {
    ids: [id],
    for: { kind: "port", port },
    timeoutMs: 200,
  });
  expect(closed).toMatchObject({ outcome: "timeout" });
});

test("an interrupted session gets its waits back at once; a longer timeout than allowed is clamped and said so, none is the default", async () => {
  const daemon = await openDaemonHome({
    environment: { HOLDFAST_WAIT_MAX_MS: "500000", HOLDFAST_WAIT_DEFAULT_MS: "100" },
  });
  const { id } = await ask(daemon, "process.start", { command: "sleep 1000", cwd: "/" });
  const { request } = await import("node:http");
  const waiting = new Promise<unknown>((resolve, reject) => {
    const headers = { "content-type": "application/json", "holdfast-session": "s9" };
    const sent = request(
      { socketPath: daemon.socketPath, method: "POST", path: "/v1/process.wait", headers },
      (answer) => {
        let text = "";
        answer
          .on("data", (chunk: Buffer) => (text += chunk.toString()))
          .on("end", () => resolve(JSON.parse(text)));
      },
    );
    sent.on("error", reject).end(JSON.stringify({ ids: [id], timeoutMs: 600_000 }));
  });
  const interrupt = async (): Promise<number> =>
    (await ask(daemon, "session.interrupt", { session: "s9" })).interrupted;
  await expect.poll(interrupt).toBe(1);
  expect(await waiting).toMatchObject({
    outcome: "interrupted",
    clampedTimeoutMs: 500_000,
    results: [{ process: { state: "running" } }],
  });
  const short = await ask(daemon, "process.wait", { ids: [id] });
  expect(short.outcome).toBe("timeout");
  expect(short).not.toHaveProperty("clampedTimeoutMs");
});
