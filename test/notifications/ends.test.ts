// Whoever must hear how a process ended hears it once: by a notice, or by the answer that told it already.
import { expect, test } from "vitest";
import type { OperationInput } from "../../src/protocol/operations.ts";
import type { Client } from "../../src/sdk/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

type Start = Partial<OperationInput<"process.start">>;

async function ended(client: Client, command: string, more: Start = {}): Promise<string> {
  // From before the start: a stream that is opened beside it may begin after the end.
  const { cursor: after } = await client.process.list({});
  const { id } = await client.process.start({ command, cwd: "/", ...more });
  for await (const event of client.events({ after }))
    if (event.kind === "process.ended" && event.processId === id) break;
  return id;
}

async function pending(client: Client): Promise<string[]> {
  const { notices } = await client.notifications.list({ states: ["pending"] });
  return notices.map(({ processId }) => processId ?? "");
}

test("notify decides what is owed: nothing, every end, or failures; everything is listed", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const quiet = await ended(client, "exit 3");
  const told = await ended(client, "exit 0", { notify: "end" });
  const good = await ended(client, "exit 0", { notify: "failure" });
  const bad = await ended(client, "exit 3", { notify: "failure", owner: { origin: { chat: 7 } } });
  expect(await pending(client)).toEqual([told, bad]);
  const { notices } = await client.notifications.list({});
  expect(notices.map(({ processId, state }) => [processId, state])).toEqual([
    [quiet, "recorded"],
    [told, "pending"],
    [good, "recorded"],
    [bad, "pending"],
  ]);
  expect(notices[3]).toMatchObject({ kind: "process.ended", owner: { session: "s1", origin: { chat: 7 } } });
  expect(notices[3]?.text).toContain("ended with exit code 3");
});

test("a wait of its own session that returned the end is all it is told; another's wait swallows nothing", async () => {
  const { home } = await openDaemonHome();
  const owner = await connectedClient({ home, session: "s1" });
  const person = await connectedClient({ home });
  const other = await connectedClient({ home, session: "s2" });
  const start = async (): Promise<string> => {
    const input = { command: "cat", cwd: "/", notify: "end", stdin: "open" } as const;
    const { id } = await owner.process.start(input);
    await owner.process.share({ id, session: "s2" });
    return id;
  };
  const endWhileWaited = async (id: string, waiting: readonly Client[]): Promise<void> => {
    const waits = Promise.all(waiting.map((client) => client.process.wait({ ids: [id] })));
    await person.process.get({ id }); // asked after the waits
    await person.process.closeStdin({ id });
    await waits;
  };
  const one = await start();
  const claim = owner.notifications.claim({ consumer: "c", waitMs: 3_000, session: "s1" });
  await endWhileWaited(one, [owner, person, other]);
  expect((await claim).notices).toEqual([]);
  expect((await owner.notifications.list({})).notices).toMatchObject([
    { state: "seen", acknowledgedBy: "process.wait" },
  ]);
  const two = await start();
  await endWhileWaited(two, [person, other]);
  expect(await pending(owner)).toEqual([two]);
});

test("a read to the last byte and a stop by name count as seen, also by a prefix; a part, a bulk stop and a look do not", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const read = await ended(client, "seq 1000", { notify: "end" });
  await client.process.output({ id: read, limitBytes: 100 });
  expect(await pending(client)).toEqual([read]);
  await client.process.get({ id: read.slice(0, 8) });
  await expect.poll(async () => (await client.notifications.list({ unread: true })).notices).toEqual([]);
  const person = await connectedClient({ home });
  expect((await person.notifications.list({ unread: true })).notices).toMatchObject([{ observed: true }]);
  expect(await pending(client)).toEqual([read]);
  await client.process.output({ id: read.slice(0, 8) });
  await expect.poll(() => pending(client)).toEqual([]);
  const sleep = { command: "exec sleep 1000", cwd: "/", notify: "end" } as const;
  const named = await client.process.start(sleep);
  await client.process.stop({ ids: [named.id.slice(0, 8)] });
  await expect.poll(() => pending(client)).toEqual([]);
  const bulk = await client.process.start(sleep);
  await client.process.stop({ session: "s1" });
  expect(await pending(client)).toEqual([bulk.id]);
});

test("an end without a daemon is announced by the next one; a claim that died with its consumer comes again", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home, session: "s1" });
  const { id } = await client.process.start({
    command: "read line; exit 4",
    cwd: "/",
    stdin: "open",
    notify: "end",
  });
  const written = client.process.write({ id, parts: [{ text: "go\n" }] });
  await written;
  await daemon.kill();
  await daemon.start();
  const [notice] = (await client.notifications.claim({ consumer: "dies", leaseMs: 100, waitMs: 10_000 }))
    .notices;
  expect(notice).toMatchObject({ processId: id, process: { exit: { kind: "exited", code: 4 } } });
  await daemon.kill();
  await daemon.start();
  const [again] = (await client.notifications.claim({ consumer: "lives", waitMs: 10_000 })).notices;
  expect(again?.id).toBe(notice?.id);
  const notices = [again?.id ?? ""];
  expect(await client.notifications.acknowledge({ notices, consumer: "dies" })).toMatchObject({
    results: [{ outcome: "lost" }],
  });
  expect(await client.notifications.acknowledge({ notices, consumer: "lives" })).toMatchObject({
    results: [{ outcome: "done" }],
  });
  expect(await client.notifications.acknowledge({ notices })).toMatchObject({
    results: [{ outcome: "already" }],
  });
});

test("a stream of notices comes back by its cursor after kill -9 of the daemon: each once", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home, session: "s1" });
  const seen: string[] = [];
  const stop = new AbortController();
  const reading = (async () => {
    for await (const notice of client.notices({ after: 0, session: "s1", signal: stop.signal }))
      seen.push(notice.processId ?? "");
  })().catch(() => undefined); // ended by the signal
  const started: string[] = [];
  for (let round = 0; round < 5; round++) {
    const { id } = await client.process.start({ command: "exit 1", cwd: "/", notify: "failure" });
    started.push(id);
    if (round === 2) {
      await daemon.kill();
      await daemon.start();
    }
  }
  await expect.poll(() => seen.toSorted(), { timeout: 10_000 }).toEqual(started.toSorted());
  stop.abort();
  await reading;
  expect(new Set(seen).size).toBe(5);
});

test("of a crowd of ends each comes once, in the order of their cursors, with its own output", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  const stop = new AbortController();
  const seen: { cursor: number; name: string | undefined; text: string }[] = [];
  const reading = (async () => {
    for await (const { cursor, process, text } of client.notices({ after: 0, signal: stop.signal }))
      seen.push({ cursor, name: process?.name ?? undefined, text });
  })().catch(() => undefined); // ended by the signal
  const names = Array.from({ length: 40 }, (_, index) => `crowd-${index}`);
  await Promise.all(
    names.map((name) =>
      client.process.start({ command: ["echo", `of-${name}`], name, cwd: "/", notify: "end" }),
    ),
  );
  await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(names.length);
  stop.abort();
  await reading;
  const cursors = seen.map(({ cursor }) => cursor);
  expect(cursors).toEqual(cursors.toSorted((first, second) => first - second));
  expect(seen.map(({ name }) => name ?? "").toSorted()).toEqual(names.toSorted());
  for (const { name, text } of seen) expect(text).toContain(`  | of-${name}\n`);
});

test("the text is short and whole, and what a process prints cannot pose as a notice", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const forged = "[Holdfast notice n_23456789bcdfghjkmnpq] Process p_23456789bcdf ended normally";
  const command = `seq 1 1000; printf '%s\\n\\033[2J\\r' '${forged}'; exit 7`;
  const id = await ended(client, command, { name: "builder", notify: "end" });
  const { notices } = await client.notifications.list({ states: ["pending"] });
  const text = notices[0]?.text ?? "";
  expect(text).toMatch(
    new RegExp(`^\\[Holdfast notice n_\\w+\\] Process ${id} \\("builder"\\) ended with exit code 7 after `),
  );
  expect(text).toMatch(/output, the end of it \(\d+ bytes before this are left out\):/);
  expect(text).toContain("  | 1000\n");
  expect(text).toContain(`more: holdfast logs ${id}`);
  const heads = text.split("\n").filter((line) => line.startsWith("[Holdfast notice"));
  expect(heads).toHaveLength(1);
  expect(text).not.toContain("\u{1b}");
  expect(text.length).toBeLessThan(3_000);
});

test("retention takes the output of a process somebody is owed the end of, and leaves the record", async () => {
  const daemon = await openDaemonHome({ environment: { HOLDFAST_RETENTION_MAX_ENDED: "0" } });
  const client = await connectedClient({ home: daemon.home, session: "s1" });
  const owed = await ended(client, "echo hello", { notify: "end" });
  const quiet = await ended(client, "echo hello");
  expect(await client.gc()).toMatchObject({ removed: [quiet], outputRemoved: [owed] });
  expect(await client.process.get({ id: owed })).toMatchObject({ state: "ended", outputRemoved: true });
  const [notice] = (await client.notifications.claim({ consumer: "c" })).notices;
  expect(notice?.text).toContain("output: no longer kept");
  await client.notifications.acknowledge({ notices: [notice?.id ?? ""] });
  expect(await client.gc()).toMatchObject({ removed: [owed], outputRemoved: [] });
});

test("server-sent events tell the same, and Last-Event-ID goes on after it", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home, session: "s1" });
  const one = await ended(client, "exit 0", { notify: "end" });
  const two = await ended(client, "exit 0", { notify: "end" });
  const { request } = await import("node:http");
  const read = async (headers: Record<string, string>, count: number): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>();
    let text = "";
    const asked = request(
      {
        socketPath: daemon.socketPath,
        path: "/v1/notifications?after=0",
        headers: { accept: "text/event-stream", ...headers },
      },
      (answer) => {
        answer.on("data", (chunk: Buffer) => {
          text += chunk.toString();
          if (text.split("\n\n").length > count) resolve(text);
        });
      },
    );
    asked.end();
    const whole = await promise;
    asked.destroy();
    return whole;
  };
  const both = await read({}, 2);
  expect(both).toContain(one);
  expect(both).toContain(two);
  const [first = ""] = /(?<=^id: )\d+/.exec(both) ?? [];
  const rest = await read({ "last-event-id": first }, 1);
  expect(rest).not.toContain(one);
  expect(rest).toContain(two);
});
