// Sinks that are changed, added and taken away while the daemon runs, and several that want the same.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import type { Client } from "../../src/sdk/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";
import { newTestHome } from "../support/test-home.ts";
import { openWebhookReceiver, status, type WebhookReceiver } from "../support/webhook-receiver.ts";

function webhook(receiver: WebhookReceiver, more: Record<string, unknown> = {}): Record<string, unknown> {
  const file = join(newTestHome(), "secret");
  writeFileSync(file, `whsec_${randomBytes(32).toString("base64")}`, { mode: 0o600 });
  const hosts = { allowHosts: ["127.0.0.1"] };
  return { kind: "webhook", url: receiver.url, secretFiles: [file], scheduleMs: [], ...hosts, ...more };
}

async function open(sinks: Record<string, unknown>): Promise<Client> {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home });
  await client.config.set({ key: "sinks", value: sinks });
  return client;
}

async function end(client: Client, session = "s1"): Promise<string> {
  const owner = { session };
  return (await client.process.start({ command: "exit 3", cwd: "/", notify: "end", owner })).id;
}

async function dead(client: Client): Promise<unknown[]> {
  return (await client.notifications.dead()).deliveries.map(({ sink, notice }) => [sink, notice.processId]);
}

function told(receiver: WebhookReceiver): string[] {
  return receiver.calls.map(
    ({ body }) => (JSON.parse(body) as { data: { processId: string } }).data.processId,
  );
}

test("a sink that is mended tries again what it gave up or was turned off for; one that is gone has no dead letters", async () => {
  const [wrong, right] = [await openWebhookReceiver(), await openWebhookReceiver()];
  wrong.answerWith(status(500), status(410));
  const hook = webhook(wrong);
  const client = await open({ hook });
  const first = await end(client);
  await expect.poll(() => dead(client), { timeout: 10_000 }).toEqual([["hook", first]]);
  const second = await end(client);
  await expect.poll(async () => (await client.notifications.dead()).sinks).toMatchObject([{ name: "hook" }]);
  const third = await end(client);
  await client.config.set({ key: "sinks", value: { hook: { ...hook, url: right.url } } });
  await expect
    .poll(() => told(right).toSorted(), { timeout: 10_000 })
    .toEqual([first, second, third].toSorted());
  expect(told(wrong)).toEqual([first, second]);
  await expect.poll(() => client.notifications.dead()).toEqual({ deliveries: [], sinks: [] });
  right.answerWith(status(500));
  const fourth = await end(client);
  await expect.poll(() => dead(client), { timeout: 10_000 }).toEqual([["hook", fourth]]);
  await client.config.set({ key: "sinks", value: {} });
  await expect.poll(() => dead(client)).toEqual([]);
  expect(await client.daemon.status()).toMatchObject({ notices: { dead: 0, pending: 4 } });
});

test("each sink gets its own; what a person has taken care of is no dead letter any more", async () => {
  const [one, two] = [await openWebhookReceiver(), await openWebhookReceiver()];
  two.answerWith(status(500));
  const client = await open({
    one: webhook(one, { acknowledge: true }),
    two: webhook(two, { scheduleMs: [200] }),
  });
  const id = await end(client);
  await expect.poll(() => told(two), { timeout: 10_000 }).toEqual([id, id]);
  await expect
    .poll(async () => (await client.notifications.list({ process: id })).notices)
    .toMatchObject([{ state: "acknowledged", acknowledgedBy: "sink:one" }]);
  expect(told(one)).toEqual([id]);
  await client.config.set({ key: "sinks", value: { two: webhook(two) } });
  two.answerWith(status(500));
  const other = await end(client);
  await expect.poll(() => dead(client), { timeout: 10_000 }).toEqual([["two", other]]);
  const [owed] = (await client.notifications.list({ process: other })).notices;
  await client.notifications.acknowledge({ notices: [owed?.id ?? ""] });
  expect(await dead(client)).toEqual([]);
});

test("two commands of one session take turns; notices of no session are bounded too, until a person is there", async () => {
  const file = join(newTestHome(), "said");
  const script = `echo "begin $HOLDFAST_NOTICE_IDS" >>"$1"; cat >/dev/null; sleep 0.2; echo end >>"$1"`;
  const command = { kind: "command", command: ["sh", "-c", script, "agent", file], gatherMs: 0 };
  const client = await open({
    one: { ...command, session: "s1" },
    two: { ...command, session: "s1" },
    all: { ...command, profile: "other", mostResumptions: 1 },
  });
  const said = (): string[] => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
  await end(client);
  await expect.poll(said, { timeout: 15_000 }).toHaveLength(4);
  expect(said().map((line) => line.split(" ")[0])).toEqual(["begin", "end", "begin", "end"]);
  const start = { command: "exit 3", cwd: "/", notify: "end", owner: { profile: "other" } } as const;
  await client.process.start(start);
  await expect.poll(said, { timeout: 10_000 }).toHaveLength(6);
  const { id } = await client.process.start(start);
  await expect.poll(() => dead(client), { timeout: 10_000 }).toEqual([["all", id]]);
  const [stuck] = (await client.notifications.dead()).deliveries;
  expect(stuck?.lastError).toContain("holdfast session attend sink:all");
  expect(await client.session.attend({ session: "sink:all" })).toMatchObject({ replayed: 1 });
  await expect.poll(said, { timeout: 10_000 }).toHaveLength(8);
});
