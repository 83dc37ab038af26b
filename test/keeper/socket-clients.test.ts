// Many clients, fast and slow ones and one that never reads: nobody waits for another, and the child for none.
import { expect, onTestFinished, test } from "vitest";
import { connectUnixSocket, KeeperConnection, type KeptProcess } from "../../src/keeper/index.ts";
import { requestFrames } from "../../src/keeper/frames.ts";
import { compileFixture } from "../support/compile-fixture.ts";
import { openKeeperHome } from "../support/keeper-home.ts";

const hello = requestFrames.hello.encode({ major: 1, minor: 0 });
const volume = 150_000_000;

async function countBytes(kept: KeptProcess, creditBytes: number): Promise<number> {
  let at = 0;
  for await (const event of kept.output({ follow: true, creditBytes })) {
    if (event.kind !== "data") continue;
    expect(event.offset).toBe(at);
    at += event.bytes.length;
  }
  return at;
}

test("a client that never reads slows neither the child nor a fast or a slow client", async () => {
  const keeper = await openKeeperHome();
  const program = compileFixture("random_stream");
  const run = await keeper.shell(`read go; exec ${program} ${volume}`, {
    stdin: "open",
    tailLimitBytes: 2 * volume,
  });
  const stuck = await connectUnixSocket(run.directory, "sock");
  stuck.pause();
  stuck.write(
    Buffer.concat([hello, requestFrames.output.encode({ from: 0n, credit: 2 ** 40, flags: 1 }, 1)]),
  );
  await using fast = keeper.kept(run.id);
  await using slow = keeper.kept(run.id);
  const counts = [countBytes(fast, 1_048_576), countBytes(slow, 16_384)];
  await fast.write("\n");
  // The child is done although one client has read nothing and another is far behind.
  expect(await run.ended).toMatchObject({ exit: { kind: "exited", code: 0 }, outputBytes: volume });
  expect(stuck.bytesRead).toBeLessThan(200_000); // what the sockets' buffers hold
  expect(await counts[0]).toBe(volume);
  expect(await counts[1]).toBe(volume);
  stuck.destroy();
});

test("a client that asks without reading the answers loses its connection", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  const deaf = await connectUnixSocket(run.directory, "sock");
  deaf.pause();
  deaf.on("error", () => undefined); // the reset is what is waited for
  const questions = Buffer.concat(Array.from({ length: 1000 }, () => requestFrames.askState.encode({}, 5)));
  deaf.write(hello);
  // Writes go on being accepted until the keeper has had enough; far more than it puts up with are offered.
  for (let i = 0; i < 100 && !deaf.destroyed; i++)
    await new Promise((resolve) => deaf.write(questions, () => setImmediate(resolve)));
  expect(deaf.destroyed).toBe(true);
  expect(await keeper.kept(run.id).state()).toMatchObject({ state: "running" });
});

test("64 clients are served, one more is refused with TOO_MANY_CLIENTS, and a place that is freed can be had", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  const connect = async (): Promise<KeeperConnection> =>
    await KeeperConnection.open(await connectUnixSocket(run.directory, "sock"));
  const connections: KeeperConnection[] = [];
  onTestFinished(() => connections.forEach((connection) => connection.close()));
  for (let i = 0; i < 64; i++) connections.push(await connect());
  // Several at once: each is told why, whichever side is quicker.
  for (const refused of await Promise.allSettled(Array.from({ length: 10 }, connect)))
    expect(refused).toMatchObject({ status: "rejected", reason: { code: "TOO_MANY_CLIENTS" } });
  await Promise.all(connections.map((connection) => connection.ping()));
  connections.pop()?.close();
  await expect
    .poll(async () => {
      const connection = await connect().catch(() => "refused" as const);
      if (typeof connection !== "string") connections.push(connection);
      return typeof connection;
    })
    .toBe("object");
});
