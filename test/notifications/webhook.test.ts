// Webhooks against a real receiver that hangs, redirects, resets, fails and goes away.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { Client } from "../../src/sdk/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { newTestHome } from "../support/test-home.ts";
import { openWebhookReceiver, status, type WebhookReceiver } from "../support/webhook-receiver.ts";

interface Opened {
  readonly daemon: DaemonHome;
  readonly client: Client;
  readonly receiver: WebhookReceiver;
  readonly secrets: readonly string[];
}

async function open(sink: Record<string, unknown> = {}, secretCount = 1): Promise<Opened> {
  const receiver = await openWebhookReceiver();
  const directory = newTestHome();
  const secrets = Array.from({ length: secretCount }, () => `whsec_${randomBytes(32).toString("base64")}`);
  const secretFiles = secrets.map((secret, index) => {
    const file = join(directory, `secret-${index}`);
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    return file;
  });
  const hook = {
    kind: "webhook",
    url: receiver.url,
    secretFiles,
    allowHosts: ["127.0.0.1"],
    scheduleMs: [10, 10, 10],
    ...sink,
  };
  const daemon = await openDaemonHome({ environment: { HOLDFAST_SINKS: JSON.stringify({ hook }) } });
  const client = await connectedClient({ home: daemon.home, session: "s1" });
  return { daemon, client, receiver, secrets };
}

async function fail(client: Client): Promise<string> {
  return (await client.process.start({ command: "exit 3", cwd: "/", notify: "failure" })).id;
}

async function dead(client: Client): Promise<unknown> {
  const { deliveries } = await client.notifications.dead();
  return deliveries.map(({ state, lastError, attempts }) => ({ state, lastError, attempts }));
}

function storedAttempts(home: string): number[] {
  using database = new DatabaseSync(join(home, "holdfast.db"), { readOnly: true });
  const rows = database.prepare("select attempts from deliveries").all();
  return rows.map(({ attempts }) => Number(attempts));
}

test("a notice arrives once, signed with every secret while one is rotated, under its own id", async () => {
  const { client, receiver, secrets } = await open({}, 2);
  const id = await fail(client);
  await client.process.start({ command: "exit 0", cwd: "/", notify: "failure" });
  await expect.poll(() => receiver.calls.length, { timeout: 10_000 }).toBe(1);
  const [call] = receiver.calls;
  const headers = call?.headers as Record<string, string>;
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(call?.body ?? "", headers)).toMatchObject({
      type: "process.ended",
      data: { processId: id, owner: { session: "s1" } },
    });
  }
  const { notices } = await client.notifications.list({ process: id });
  expect(headers["webhook-id"]).toBe(notices[0]?.id);
  expect(() =>
    new Webhook(`whsec_${randomBytes(32).toString("base64")}`).verify(call?.body ?? "", headers),
  ).toThrow("No matching signature");
});

test("a receiver that hangs is tried again, then given up", async () => {
  // In a test of its own: where the machine stands still for so long, any receiver hangs.
  const { client, receiver } = await open({ timeoutMs: 500, scheduleMs: [10] });
  const hang = (): void => undefined;
  receiver.answerWith(hang, hang);
  await fail(client);
  await expect.poll(() => dead(client), { timeout: 15_000 }).toMatchObject([{ state: "dead", attempts: 2 }]);
  const ids = new Set(receiver.calls.map(({ headers }) => headers["webhook-id"]));
  expect([receiver.calls.length, ids.size]).toEqual([2, 1]);
});

test("a receiver that resets, redirects or fails is tried again under the same id, then given up; replay delivers", async () => {
  const { client, receiver } = await open();
  receiver.answerWith(
    (response) => response.socket?.resetAndDestroy(),
    (response) => response.socket?.resetAndDestroy(),
    status(302, { location: receiver.url }),
    status(500),
  );
  const id = await fail(client);
  await expect
    .poll(() => dead(client), { timeout: 15_000 })
    .toEqual([{ state: "dead", lastError: "the receiver answered 500", attempts: 4 }]);
  expect(receiver.calls).toHaveLength(4); // the redirect was not followed
  const ids = new Set(receiver.calls.map(({ headers }) => headers["webhook-id"]));
  expect(ids.size).toBe(1);
  expect(await client.daemon.status()).toMatchObject({ notices: { pending: 1, dead: 1 } });
  const { notices } = await client.notifications.list({ process: id });
  expect(await client.notifications.replay({ notice: notices[0]?.id ?? "" })).toEqual({ deliveries: 1 });
  await expect.poll(() => receiver.calls.length, { timeout: 10_000 }).toBe(5);
  await expect.poll(() => dead(client)).toEqual([]);
});

test("410 turns the sink off and says so; nothing more is sent, nothing is lost", async () => {
  const { client, receiver } = await open();
  receiver.answerWith(status(500), status(410));
  await fail(client);
  await expect
    .poll(async () => (await client.notifications.dead()).sinks, { timeout: 10_000 })
    .toMatchObject([{ name: "hook", state: "disabled", reason: expect.stringContaining("410") as string }]);
  await fail(client);
  await expect
    .poll(async () => (await client.notifications.list({ states: ["pending"] })).notices.length)
    .toBe(2);
  expect(receiver.calls).toHaveLength(2);
  const [given] = (await client.notifications.dead()).deliveries;
  await client.notifications.replay({ notice: given?.notice.id ?? "" });
  await expect.poll(() => receiver.calls.length, { timeout: 10_000 }).toBe(4); // that one, and what waited meanwhile
  await expect.poll(async () => (await client.notifications.dead()).sinks).toEqual([]);
});

test("Retry-After is honoured, through a kill -9 of the daemon", async () => {
  const { client, receiver, daemon } = await open();
  receiver.answerWith(status(503, { "retry-after": "2" }));
  const before = Date.now();
  await fail(client);
  // Once the answer is written down: before that, a kill means that it is asked again at once.
  await expect.poll(() => storedAttempts(daemon.home), { timeout: 10_000 }).toEqual([1]);
  await daemon.kill();
  await daemon.start();
  await expect.poll(() => receiver.calls.length, { timeout: 15_000 }).toBe(2);
  // Not before the time the receiver named; the later, the busier the machine.
  expect(Date.now() - before).toBeGreaterThanOrEqual(1_900);
});

test("an address inside this machine is refused unless it is named, also by name", async () => {
  const { client, receiver } = await open({ allowHosts: ["localhost"] });
  await fail(client);
  await expect
    .poll(() => dead(client), { timeout: 10_000 })
    .toMatchObject([{ state: "dead", lastError: expect.stringContaining("allowHosts") as string }]);
  expect(receiver.calls).toEqual([]);
});

test("an end that its session saw by a wait is not pushed; one nobody asked for neither", async () => {
  const { client, receiver } = await open();
  const waiting = { command: "read line; exit 3", cwd: "/", stdin: "open", notify: "end" } as const;
  const seen = await client.process.start(waiting);
  const waited = client.process.wait({ ids: [seen.id] });
  await client.process.get({ id: seen.id }); // asked after the wait
  await client.process.write({ id: seen.id, parts: [{ text: "\n" }] });
  await waited;
  await client.process.start({ command: "exit 3", cwd: "/" });
  const told = await fail(client);
  await expect.poll(() => receiver.calls.length, { timeout: 10_000 }).toBe(1);
  expect(receiver.calls[0]?.body).toContain(told);
});
