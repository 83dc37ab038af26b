// Watches that look at more than lines: silence, rate, waiting for input, readiness, exit codes.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ask, runToEnd } from "../support/daemon-calls.ts";
import { openDaemonHome, sharedDaemonHome } from "../support/daemon-home.ts";
import { hitsOf, noticesOf, watchesOf } from "../support/watch-calls.ts";

const shared = await sharedDaemonHome();

test("silence is told once for each silence, also through a restart of the daemon", async () => {
  const daemon = await openDaemonHome({ environment: { HOLDFAST_WATCH_WINDOW_MS: "1" } });
  const { id } = await ask(daemon, "process.start", {
    command: "echo begin; while read line; do echo $line; done",
    cwd: "/",
    stdin: "open",
  });
  // A slow start is a silence too.
  await ask(daemon, "process.wait", { ids: [id], for: { kind: "match", text: "begin" } });
  await ask(daemon, "watch.add", { id, watch: { kind: "silence", ms: 300 } });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([1]);
  await daemon.kill();
  await daemon.start();
  await ask(daemon, "process.write", { id, parts: [{ text: "more\n" }] });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([2]);
  const told = await noticesOf(daemon, id, "watch.matched");
  expect(told).toMatchObject([
    { data: { count: 1, lines: [{ line: "nothing written for 300 ms", offset: null }] } },
    { data: { count: 1 } },
  ]);
});

test("a rate of lines or bytes is told when it is exceeded", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command: "for i in 1 2 3; do echo slow; sleep 0.1; done; seq 500; sleep 1000",
    cwd: "/",
    watches: [
      { kind: "rate", most: 100, perMs: 1_000 },
      { kind: "rate", unit: "bytes", most: 1_000, perMs: 5_000 },
      { kind: "rate", most: 1_000, perMs: 1_000 },
    ],
  });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([1, 1, 0]);
});

test("waiting for input is told once for each wait, with what stands before the cursor", async () => {
  const daemon = shared;
  const { id } = await ask(daemon, "process.start", {
    command:
      "sleep 0.2; printf 'Name: '; read name; sleep 1; stty -echo; printf 'Password: '; read word; stty echo; echo; sleep 1000",
    cwd: "/",
    mode: "pty",
    owner: { session: "s1" },
    watches: [{ kind: "input" }],
  });
  const waits = (): ReturnType<typeof noticesOf> => noticesOf(daemon, id, "process.waits-for-input");
  await expect
    .poll(waits, { timeout: 15_000 })
    .toMatchObject([{ state: "pending", data: { waits: "yes", guess: false, line: "Name: " } }]);
  // Half a line is typed and shown: still the same wait, whoever looks, this daemon or the next.
  await ask(daemon, "process.write", { id, parts: [{ text: "An" }] });
  await daemon.kill();
  await daemon.start();
  await ask(daemon, "process.write", { id, parts: [{ text: "n\r" }] });
  await expect
    .poll(waits, { timeout: 15_000 })
    .toMatchObject([{ data: { line: "Name: " } }, { data: { waits: "password", line: "Password: " } }]);
  await ask(daemon, "process.write", { id, parts: [{ text: "secret\r" }] });
  await expect.poll(() => hitsOf(daemon, id), { timeout: 10_000 }).toEqual([2]);
  const [first] = await waits();
  expect(first?.text).toContain("waits for input");
});

test("a port that takes connections and an address that answers are told once, as ready", async () => {
  const daemon = shared;
  const server = createServer((_request, response) => response.end("ok"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  const { id } = await ask(daemon, "process.start", {
    command: "sleep 1000",
    cwd: "/",
    watches: [
      { kind: "port", port },
      { kind: "http", url: `http://127.0.0.1:${port}/`, status: 200 },
    ],
  });
  await daemon.kill();
  await daemon.start();
  expect(await hitsOf(daemon, id)).toEqual([0, 0]);
  server.listen(port, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await expect
    .poll(() => watchesOf(daemon, id), { timeout: 10_000 })
    .toMatchObject([
      { hits: 1, state: "ended" },
      { hits: 1, state: "ended" },
    ]);
  const ready = await noticesOf(daemon, id, "process.ready");
  expect(ready.map(({ data }) => String(data["what"])).toSorted()).toEqual([
    `http://127.0.0.1:${port}/`,
    `localhost:${port}`,
  ]);
});

test("a watch on exit codes makes the end owed when it is one of them", async () => {
  const daemon = shared;
  const watches = [{ kind: "exit" as const, codes: [3, 137] }];
  const ended = await runToEnd(daemon, "exit 3", { watches });
  const killed = await runToEnd(daemon, "kill -9 $$", { watches });
  const other = await runToEnd(daemon, "exit 4", { watches });
  for (const [id, hits, state] of [
    [ended, 1, "pending"],
    [killed, 1, "pending"],
    [other, 0, "recorded"],
  ] as const) {
    const [watch] = await watchesOf(daemon, id);
    expect(watch).toMatchObject({ hits, state: "ended" });
    const data = hits === 1 ? { watches: [watch?.id] } : {};
    expect(await noticesOf(daemon, id, "process.ended")).toMatchObject([{ state, data }]);
  }
});
