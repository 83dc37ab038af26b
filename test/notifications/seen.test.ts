// What a session has learned by an answer is not told again; what it has not learned is, whatever it has looked at.
import { expect, test } from "vitest";
import type { Client } from "../../src/sdk/index.ts";
import { connectedClient, wholeText } from "../support/connected-client.ts";
import { openDaemonHome } from "../support/daemon-home.ts";

async function states(client: Client, id: string): Promise<string[]> {
  const { notices } = await client.notifications.list({ process: id });
  return notices.map(({ kind, state }) => `${kind} ${state}`);
}

async function endOf(client: Client, id: string): Promise<void> {
  await expect.poll(async () => (await client.notifications.list({ process: id })).notices.length).toBe(1);
}

test("a live read to the last byte counts as seen, followed or not; one that was left before does not", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const start = { command: "seq 100", cwd: "/", notify: "end" } as const;
  const followed = await client.process.start(start);
  expect(await wholeText(client.output(followed.id))).toContain("100\n");
  await expect.poll(() => states(client, followed.id)).toEqual(["process.ended seen"]);
  const read = await client.process.start(start);
  await endOf(client, read.id);
  for await (const event of client.output(read.id, { follow: false })) {
    expect(event.kind).toBe("data");
    break;
  }
  expect(await states(client, read.id)).toEqual(["process.ended pending"]);
  await wholeText(client.output(read.id, { follow: false }));
  await expect.poll(() => states(client, read.id)).toEqual(["process.ended seen"]);
  const person = await connectedClient({ home });
  const other = await client.process.start(start);
  expect(await wholeText(person.output(other.id))).toContain("100\n");
  await endOf(client, other.id);
  expect(await states(client, other.id)).toEqual(["process.ended pending"]);
});

test("a start whose answer says that nothing could be started is not told again; an end that was only quick is", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const failed = await client.process.start({ command: ["/no/such/program"], cwd: "/", notify: "end" });
  expect(failed.exit?.kind).toBe("spawn_failed");
  await expect.poll(() => states(client, failed.id)).toEqual(["process.ended seen"]);
  const person = await connectedClient({ home });
  const owned = { owner: { session: "s1" }, notify: "end" } as const;
  const theirs = await person.process.start({ command: ["/no/such/program"], cwd: "/", ...owned });
  await endOf(client, theirs.id);
  expect(await states(client, theirs.id)).toEqual(["process.ended pending"]);
  const quick = await client.process.start({ command: ["true"], cwd: "/", notify: "end" });
  await endOf(client, quick.id);
  expect(await states(client, quick.id)).toEqual(["process.ended pending"]);
});

test("a look while it runs hides nothing of what comes later", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const { id } = await client.process.start({ command: "cat", cwd: "/", stdin: "open", notify: "end" });
  expect((await client.process.get({ id })).state).toBe("running");
  await client.process.closeStdin({ id });
  await endOf(client, id);
  expect((await client.notifications.list({ unread: true })).notices).toMatchObject([{ processId: id }]);
});

test("a limit is told with the end it brought about, in one order, and both are seen together", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const person = await connectedClient({ home });
  // It answers the request to end with success, and has failed all the same.
  const command = "trap 'exit 0' TERM; echo ready; while :; do sleep 0.05; done";
  // Time enough to set the trap, however busy the machine is.
  const limits = { wallMs: 4_000 };
  const told = await client.process.start({ command, cwd: "/", notify: "failure", limits });
  await person.process.wait({ ids: [told.id] });
  const { notices } = await client.notifications.list({ process: told.id });
  expect(notices).toMatchObject([
    { kind: "process.limit-reached", state: "pending", data: { limit: "timeout" } },
    { kind: "process.ended", state: "pending", data: { exit: { kind: "exited", code: 0 } } },
  ]);
  expect(notices[0]?.text).toContain("was stopped: its time limit was reached.");
  expect(notices[1]?.text).toContain("ended with exit code 0 after");
  await client.process.wait({ ids: [told.id] });
  await expect
    .poll(() => states(client, told.id))
    .toEqual(["process.limit-reached seen", "process.ended seen"]);
  const quiet = await client.process.start({
    command: "exec sleep 1000",
    cwd: "/",
    limits: { wallMs: 400 },
  });
  await client.process.wait({ ids: [quiet.id] });
  expect(await states(client, quiet.id)).toEqual([
    "process.limit-reached recorded",
    "process.ended recorded",
  ]);
});

test("an end outlives the record of its process, and still says what ended and how", async () => {
  const { home } = await openDaemonHome();
  const client = await connectedClient({ home, session: "s1" });
  const start = { command: "exit 3", cwd: "/", name: "gone", notify: "end" } as const;
  const { id } = await client.process.start(start);
  await endOf(client, id);
  await client.process.remove({ ids: [id] });
  const [notice] = (await client.notifications.claim({ consumer: "c" })).notices;
  expect(notice).toMatchObject({ processId: id, process: null, data: { exit: { kind: "exited", code: 3 } } });
  expect(notice?.text).toMatch(
    new RegExp(
      `^\\[Holdfast notice \\S+\\] Process ${id} \\("gone"\\) ended with exit code 3 after .*\\ncommand: exit 3$`,
    ),
  );
});
