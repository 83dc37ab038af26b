// Auto-continue: a command that resumes an agent, tested with a shell script in the agent's place.
import { readFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Client } from "../../src/sdk/index.ts";
import { connectedClient } from "../support/connected-client.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { newTestHome } from "../support/test-home.ts";

interface Opened {
  readonly daemon: DaemonHome;
  readonly client: Client;
  /** What the agent wrote, one line per resumption and whatever it read. */
  readonly said: () => string;
  /** Where it writes that; the command may look for other files beside it. */
  readonly file: string;
}

async function open(script: string, sink: Record<string, unknown> = {}): Promise<Opened> {
  const directory = newTestHome();
  const file = join(directory, "said");
  const resume = {
    kind: "command",
    command: ["sh", "-c", script, "agent", file],
    scheduleMs: [10, 10],
    ...sink,
  };
  const daemon = await openDaemonHome({ environment: { HOLDFAST_SINKS: JSON.stringify({ resume }) } });
  const client = await connectedClient({ home: daemon.home, session: "s1" });
  return { daemon, client, file, said: () => (existsSync(file) ? readFileSync(file, "utf8") : "") };
}

const sayIds =
  'echo "resumed $HOLDFAST_SESSION $HOLDFAST_NOTICE_KIND [$HOLDFAST_NOTICE_IDS]" >>"$1"; cat >>"$1"';

function resumptions(said: string): string[] {
  return said.split("\n").filter((line) => line.startsWith("resumed"));
}

async function end(client: Client, command = "exit 3"): Promise<string> {
  return (await client.process.start({ command, cwd: "/", notify: "end" })).id;
}

test("the notices of one session come on standard input in one call, and are then taken care of", async () => {
  const { client, said, file } = await open(sayIds, { gatherMs: 5_000 });
  // They end together, and a busy machine is given time to notice it.
  const together = `until test -e ${file}.go; do sleep 0.05; done; echo`;
  const ids = await Promise.all(["one", "two", "three"].map((word) => end(client, `${together} ${word}`)));
  writeFileSync(`${file}.go`, "");
  await expect.poll(() => resumptions(said()), { timeout: 20_000 }).toHaveLength(1);
  await expect
    .poll(async () => (await client.notifications.list({ states: ["pending"] })).notices, { timeout: 10_000 })
    .toEqual([]);
  for (const id of ids) expect(said()).toContain(id);
  expect(resumptions(said())[0]).toMatch(/^resumed s1 process\.ended \[(?:n_\w{20} ?){3}\]$/);
  const kept = (await client.process.list({ labels: { sink: "resume" } })).processes;
  expect(kept).toMatchObject([{ exit: { kind: "exited", code: 0 }, owner: { session: "s1" } }]);
});

test("a busy session is left alone until it says it is idle, or its lease runs out", async () => {
  const { client, said } = await open(sayIds);
  await client.session.busy({ session: "s1", by: "turn 1", leaseMs: 600_000 });
  const id = await end(client);
  await client.process.wait({ ids: [id], timeoutMs: 5_000 }).catch(() => undefined);
  await expect(client.session.busy({ session: "s1", by: "another" })).rejects.toMatchObject({
    code: "SESSION_BUSY",
  });
  const two = await end(client);
  await expect.poll(async () => (await client.process.get({ id: two })).state).toBe("ended");
  expect(said()).toBe("");
  await client.session.idle({ session: "s1", by: "turn 1" });
  await expect.poll(() => resumptions(said()), { timeout: 10_000 }).toHaveLength(1);
});

test("after so many resumptions without a person notices wait for one, are listed, and come when one is there", async () => {
  const { client, said } = await open(sayIds, { mostResumptions: 2, gatherMs: 0 });
  for (let round = 1; round <= 2; round++) {
    await end(client);
    await expect.poll(() => resumptions(said()), { timeout: 10_000 }).toHaveLength(round);
    await expect.poll(async () => (await client.notifications.list({ states: ["pending"] })).pending).toBe(0);
  }
  const id = await end(client);
  await expect
    .poll(async () => (await client.notifications.dead()).deliveries, { timeout: 10_000 })
    .toMatchObject([{ state: "needs_person", notice: { processId: id } }]);
  expect(await client.daemon.status()).toMatchObject({ notices: { pending: 1, needsPerson: 1 } });
  expect(await client.session.attend({ session: "s1" })).toMatchObject({ replayed: 1, resumptions: 0 });
  await expect.poll(() => resumptions(said()), { timeout: 10_000 }).toHaveLength(3);
});

test("a command that fails is tried again, then given up; what was given up stays owed and comes with the next activity", async () => {
  const script = `${sayIds}; test -e "$1.ok"`;
  const { client, said, file } = await open(script);
  await end(client);
  await expect
    .poll(async () => (await client.notifications.dead()).deliveries, { timeout: 15_000 })
    .toMatchObject([
      { state: "dead", attempts: 3, lastError: expect.stringContaining("exit code 1") as string },
    ]);
  expect(resumptions(said())).toHaveLength(3);
  expect((await client.notifications.list({ states: ["pending"] })).pending).toBe(1);
  // Before the activity, which has it tried at once.
  writeFileSync(`${file}.ok`, "");
  await client.process.wait({ ids: [(await client.process.start({ command: ["true"] })).id] });
  await expect.poll(() => resumptions(said()), { timeout: 10_000 }).toHaveLength(4);
  await expect.poll(async () => (await client.notifications.list({ states: ["pending"] })).pending).toBe(0);
});

test("a daemon killed while the command runs does not run it twice", async () => {
  const script = `${sayIds}; until test -e "$1.go"; do sleep 0.05; done; echo done >>"$1"`;
  const { client, said, daemon } = await open(script);
  await end(client);
  await expect.poll(() => resumptions(said()), { timeout: 10_000 }).toHaveLength(1);
  await daemon.kill();
  await daemon.start();
  const [run] = (await client.process.list({ labels: { sink: "resume" } })).processes;
  expect(run?.state).toBe("running");
  await client.process.start({ command: ["touch", `${run?.argv.at(-1)}.go`] });
  await expect
    .poll(async () => (await client.notifications.list({ states: ["pending"] })).pending, { timeout: 10_000 })
    .toBe(0);
  expect(said().match(/^done$/gm)).toHaveLength(1);
  expect(resumptions(said())).toHaveLength(1);
});

test("a session that takes long holds up no other, nor one that was put off meanwhile", async () => {
  const long = 'if [ "$HOLDFAST_SESSION" = s1 ]; then until test -e "$1.go"; do sleep 0.05; done; fi';
  const { client, said, daemon } = await open(`${sayIds}; ${long}`, { gatherMs: 0 });
  await end(client);
  await expect.poll(() => resumptions(said()), { timeout: 10_000 }).toHaveLength(1);
  const other = await connectedClient({ home: daemon.home, session: "s2" });
  await other.session.busy({ session: "s2", by: "turn", leaseMs: 1_000 });
  await end(other);
  const [run] = (await client.process.list({ labels: { sink: "resume" } })).processes;
  await expect.poll(() => resumptions(said()), { timeout: 15_000 }).toHaveLength(2);
  expect(said()).toContain("resumed s2");
  expect(await client.process.get({ id: run?.id ?? "" })).toMatchObject({ state: "running" });
  await client.process.start({ command: ["touch", `${run?.argv.at(-1)}.go`] });
  await expect.poll(async () => (await client.notifications.list({ states: ["pending"] })).pending).toBe(0);
  await expect.poll(async () => (await other.notifications.list({ states: ["pending"] })).pending).toBe(0);
});
