// The client through deaths of the daemon: nothing is lost, nothing comes twice.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventStream } from "../../src/client/event-stream.ts";
import { UnixTransport } from "../../src/client/node/unix-transport.ts";
import { connectedClient, wholeText } from "../support/connected-client.ts";
import { openDaemonHome, type DaemonHome } from "../support/daemon-home.ts";

const count = (lines: number, pause: string): string => {
  return `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); echo line $i; sleep ${pause}; done`;
};
const counted = (lines: number): string => {
  return Array.from({ length: lines }, (_none, index) => `line ${index + 1}\n`).join("");
};

async function replace(daemon: DaemonHome): Promise<void> {
  await daemon.kill();
  await daemon.start();
}

test("output goes on at its offset while the daemon is killed again and again", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const { id } = await client.process.start({ command: count(150, "0.02") });
  const reading = wholeText(client.output(id));
  for (let round = 0; round < 3; round += 1) await replace(daemon);
  expect(await reading).toBe(counted(150));
});

test("events go on at their cursor, without a gap and without a repetition", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const cursors: number[] = [];
  const ended = new Set<string>();
  const reading = (async () => {
    for await (const event of client.events({ after: 0 })) {
      cursors.push(event.cursor);
      if (event.kind === "process.ended") ended.add(event.processId);
      if (ended.size === 6) return;
    }
  })();
  const ids: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (const command of ["true", "sleep 0.3"]) {
      ids.push((await client.process.start({ command, idempotencyKey: `k${ids.length}` })).id);
    }
    await replace(daemon);
  }
  await reading;
  expect([...ended].toSorted()).toEqual(ids.toSorted());
  expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
  expect(new Set(cursors).size).toBe(cursors.length);
});

test("a reader of what comes from now on misses nothing, also when it is cut off before its first event", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const { id } = await client.process.start({ command: "true" });
  await client.process.wait({ ids: [id] });
  const transport = new UnixTransport(daemon.socketPath);
  const begun = Promise.withResolvers<void>();
  const events = eventStream(
    {
      open: async (path, signal) => {
        const socket = await transport.socket({ path, headers: {}, signal });
        const receive = async (): Promise<string | Uint8Array | undefined> => {
          const message = await socket.receive();
          begun.resolve();
          return message;
        };
        return { receive, closedWith: undefined, send: () => undefined, close: () => socket.close() };
      },
      outage: { reconnectMs: 60_000 },
    },
    {},
  );
  const first = events.next();
  await begun.promise;
  await daemon.kill();
  await daemon.start();
  // By another way in, and perhaps before the reader has come back.
  await daemon.call("process.start", { command: ["sleep", "60"], name: "after" });
  expect((await first).value).toMatchObject({ kind: "process.started", process: { name: "after" } });
  transport.close();
  await events.return();
});

test("readers of events and notices go on when the database was deleted meanwhile, and are told that some events are missing", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const told: string[] = [];
  const begun = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const event of client.events({ after: 0 })) {
      told.push(event.kind === "process.ended" ? `${event.process.name} ended` : event.kind);
      if (event.kind === "process.started") begun.resolve();
      if (told.at(-1) === "later ended") return;
    }
  })();
  const notices = client.notices({ after: 0, session: "s" });
  const job = async (name: string): Promise<void> => {
    const input = { command: "true", name, owner: { session: "s" }, notify: "end" } as const;
    await client.process.wait({ ids: [(await client.process.start(input)).id] });
  };
  await job("first");
  expect((await notices.next()).value).toMatchObject({ process: { name: "first" } });
  await begun.promise;
  await client.process.start({ command: ["cat"], stdin: "open", name: "goes-on" });
  await daemon.kill();
  for (const end of ["", "-wal", "-shm"]) rmSync(join(daemon.home, `holdfast.db${end}`), { force: true });
  await daemon.start();
  await client.process.closeStdin({ id: "goes-on" });
  await client.process.wait({ ids: ["goes-on"] });
  await job("later");
  await reading;
  expect(told.lastIndexOf("events.trimmed")).toBeGreaterThan(told.indexOf("process.started"));
  expect(told.slice(told.lastIndexOf("events.trimmed"))).toEqual(
    expect.arrayContaining(["goes-on ended", "process.started", "later ended"]),
  );
  for await (const notice of notices) if (notice.process?.name === "later") break;
});

test("a cursor that no event of the daemon's store has yet is told, and what comes then is told too", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const events = client.events({ after: Date.now() + 3_600_000 });
  expect((await events.next()).value).toMatchObject({ kind: "events.trimmed" });
  const { id } = await client.process.start({ command: ["true"] });
  expect((await events.next()).value).toMatchObject({ kind: "process.started", processId: id });
  await events.return();
});

test("a wait is asked again and hears the true exit", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const { id } = await client.process.start({ command: "sleep 1; exit 7" });
  const waiting = client.process.wait({ ids: [id], timeoutMs: 30_000 });
  await replace(daemon);
  expect(await waiting).toMatchObject({ results: [{ process: { exit: { kind: "exited", code: 7 } } }] });
});

test("a planned stop of the daemon is survived as well", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const { id } = await client.process.start({ command: count(60, "0.02") });
  const reading = wholeText(client.output(id));
  const waiting = client.process.wait({ ids: [id] });
  await daemon.call("daemon.stop", { drainMs: 0 });
  expect(await daemon.exited()).toBe(0);
  await daemon.start();
  expect(await reading).toBe(counted(60));
  expect(await waiting).toMatchObject({ outcome: "met" });
});

test("what is typed arrives once, whatever happens to the daemon", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const { id } = await client.process.start({ command: ["cat"], stdin: "open" });
  await using attachment = await client.attach(id);
  const reading = wholeText(attachment.output());
  const typing = (async () => {
    for (let line = 1; line <= 150; line += 1) await attachment.write(`line ${line}\n`);
  })();
  await replace(daemon);
  await replace(daemon);
  await typing;
  await client.process.closeStdin({ id });
  expect(await reading).toBe(counted(150));
});

test("the same key gives the same process, however often the daemon dies in between", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home });
  const starting = Array.from({ length: 20 }, (_none, index) => {
    return client.process.start({ command: "echo once", idempotencyKey: `key-${index}` });
  });
  await replace(daemon);
  const started = await Promise.all(starting);
  const { processes } = await client.process.list();
  expect(processes.map(({ id }) => id).toSorted()).toEqual(started.map(({ id }) => id).toSorted());
});

test("a daemon that stays away is DAEMON_UNREACHABLE in the end; an abort does not wait for that", async () => {
  const daemon = await openDaemonHome();
  const client = await connectedClient({ home: daemon.home, reconnectMs: 200 });
  const patient = await connectedClient({ home: daemon.home });
  const { id } = await client.process.start({ command: ["sleep", "60"] });
  const reading = wholeText(client.output(id)).catch((error: unknown) => error);
  await daemon.kill();
  await expect(client.process.list()).rejects.toMatchObject({ code: "DAEMON_UNREACHABLE" });
  expect(await reading).toMatchObject({ code: "DAEMON_UNREACHABLE" });
  const reason = new Error("enough");
  const controller = new AbortController();
  const asked = patient.process.list({}, { signal: controller.signal });
  controller.abort(reason);
  await expect(asked).rejects.toBe(reason);
});
