// Between being told to go and going: nothing new is started, waits finish for a while, a second stop hurries.
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { readStatusFile } from "../../src/home/index.ts";
import type { Client, HoldfastError } from "../../src/sdk/index.ts";
import { buildPackage } from "../support/built-package.ts";
import { openCliHome, type CliHome } from "../support/cli-home.ts";
import { connectedClient } from "../support/connected-client.ts";
import { readyDaemonProgram, type DaemonProgram } from "../support/daemon-program.ts";
import { newTestHome } from "../support/test-home.ts";

const built = buildPackage();

interface Drained {
  readonly cli: CliHome;
  readonly home: string;
  readonly daemon: DaemonProgram;
  readonly client: Client;
  /** A process that ends with code 5 when it reads a line, and a wait for that. */
  readonly id: string;
  readonly waiting: ReturnType<Client["process"]["wait"]>;
}

async function newDaemon(home: string): Promise<DaemonProgram> {
  return await readyDaemonProgram(home, { program: built.daemon });
}

/** A daemon that somebody waits at. */
async function waitedAt(): Promise<Drained> {
  const cli = openCliHome(newTestHome(), built.cli);
  const { home } = cli;
  const daemon = await newDaemon(home);
  const client = await connectedClient({ home });
  const { id } = await client.process.start({ command: "read line; exit 5", stdin: "open", cwd: "/" });
  const waiting = client.process.wait({ ids: [id] });
  const waits = async (): Promise<unknown> => (await client.daemon.idle()).sources;
  await expect.poll(waits).toContainEqual({ name: "waits", count: 1 });
  return { cli, home, daemon, client, id, waiting };
}

const ended = { outcome: "met", results: [{ process: { exit: { kind: "exited", code: 5 } } }] };

/** Does not come back by itself: what the one that drains answers is what is asked about. */
async function impatient(home: string): Promise<Client> {
  return await connectedClient({ home, reconnectMs: 0 });
}

test("starts are refused with the time to wait, reads and input are not, and the wait ends it", async () => {
  const { home, daemon, client, id, waiting } = await waitedAt();
  const other = await impatient(home);
  await client.daemon.stop({ drainMs: 60_000 });
  expect(await other.daemon.status()).toMatchObject({ state: "draining", pid: daemon.pid });
  expect(readStatusFile(home)).toMatchObject({ state: "draining" });
  const refusal = await other.process.start({ command: "true", cwd: "/" }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "DAEMON_STOPPING", retryable: true });
  const { retryAfterMs } = (refusal as HoldfastError).details;
  expect(retryAfterMs).toBeGreaterThan(1_000);
  expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  expect((await other.process.list()).processes).toHaveLength(1);
  await other.process.write({ id, parts: [{ text: "end\n" }] });
  expect(await waiting).toMatchObject(ended);
  expect(await daemon.exited).toBe(0);
});

test("when time is up it goes, and the wait goes on at the next one", async () => {
  const { home, daemon, client, id, waiting } = await waitedAt();
  await client.daemon.stop({ drainMs: 200 });
  expect(await daemon.exited).toBe(0);
  await newDaemon(home);
  await client.process.write({ id, parts: [{ text: "end\n" }] });
  expect(await waiting).toMatchObject(ended);
});

test.for(["SIGTERM", "request", "daemon stop"] as const)("a second stop, by %s, hurries", async (by) => {
  const { cli, home, daemon, client, id, waiting } = await waitedAt();
  await client.daemon.stop({ drainMs: 60_000 });
  const stops = {
    SIGTERM: () => daemon.child.kill("SIGTERM"),
    request: async () => await (await impatient(home)).daemon.stop({ drainMs: 60_000 }),
    "daemon stop": async () => await cli.run(["daemon", "stop", "--drain", "60s"]),
  };
  await stops[by]();
  expect(await daemon.exited).toBe(0); // it was told to go before the signal came
  await newDaemon(home);
  await client.process.write({ id, parts: [{ text: "end\n" }] });
  expect(await waiting).toMatchObject(ended);
});

test("a start that meets a drain is carried out once, by the successor", async () => {
  const { home, daemon, client, id, waiting } = await waitedAt();
  await client.daemon.stop({ drainMs: 60_000 });
  const starting = client.process.start({ command: "echo once", cwd: "/", name: "patient" });
  const isOver = await Promise.race([starting.then(() => true), delay(300, false)]);
  expect(isOver).toBe(false);
  await client.process.write({ id, parts: [{ text: "end\n" }] });
  expect(await daemon.exited).toBe(0);
  const next = await newDaemon(home);
  const { id: started } = await starting;
  await client.process.wait({ ids: [started] });
  const { processes } = await client.process.list({ states: ["ended"] });
  expect(processes.filter(({ name }) => name === "patient").map((found) => found.id)).toEqual([started]);
  expect(await waiting).toMatchObject(ended);
  expect((await client.daemon.status()).pid).toBe(next.pid);
});

test("the configured time counts, also when it is changed while it passes", async () => {
  const { home, daemon, client, waiting } = await waitedAt();
  waiting.catch(() => undefined); // the client is closed before it can be answered
  await client.config.set({ key: "daemon.drainMs", value: 60_000 });
  daemon.child.kill("SIGTERM");
  const other = await impatient(home);
  await expect.poll(() => other.daemon.status()).toMatchObject({ state: "draining" });
  await other.config.set({ key: "daemon.drainMs", value: 0 });
  expect(await daemon.exited).toBe(143);
});

test("one that drains after a bare signal and is then replaced ends with 0: nobody shall bring it back", async () => {
  const { home, daemon, client, id, waiting } = await waitedAt();
  await client.config.set({ key: "daemon.drainMs", value: 60_000 });
  daemon.child.kill("SIGTERM");
  const other = await impatient(home);
  await expect.poll(() => other.daemon.status()).toMatchObject({ state: "draining" });
  const next = await readyDaemonProgram(home, { program: built.daemon, args: ["--replace"] });
  expect(await daemon.exited).toBe(0);
  expect(readStatusFile(home)).toMatchObject({
    writer: { pid: next.pid },
    previousEnd: { reason: `replaced by process ${next.pid}` },
  });
  await client.process.write({ id, parts: [{ text: "end\n" }] });
  expect(await waiting).toMatchObject(ended);
});

test("`daemon start` while one drains brings another", async () => {
  const { cli, home, daemon, client, id, waiting } = await waitedAt();
  await client.daemon.stop({ drainMs: 60_000 });
  const starting = cli.run(["daemon", "start", "--json"]);
  const other = await impatient(home);
  expect(await other.daemon.status()).toMatchObject({ state: "draining" });
  await client.process.write({ id, parts: [{ text: "end\n" }] });
  expect(await daemon.exited).toBe(0);
  const answer = await starting;
  expect(answer, answer.stderr).toMatchObject({ code: 0 });
  const { pid } = JSON.parse(answer.stdout) as { pid: number };
  expect(pid).not.toBe(daemon.pid);
  expect(await waiting).toMatchObject(ended);
});
