// Stdin of a pipe: every accepted byte arrives once, in order; the end arrives after them; nobody is blocked.
import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { connectUnixSocket, KeeperConnection } from "../../src/keeper/index.ts";
import { isHoldfastError } from "../../src/protocol/errors.ts";
import { collectOutput, openKeeperHome, outputContains } from "../support/keeper-home.ts";

async function connect(directory: string): Promise<KeeperConnection> {
  return await KeeperConnection.open(await connectUnixSocket(directory, "sock"));
}

test("empty stdin is at its end from the start", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("cat; echo end $?; readlink /proc/self/fd/0", { stdin: "empty" });
  await run.ended;
  expect((await collectOutput(keeper.kept(run.id))).toString()).toBe("end 0\n/dev/null\n");
  const open = await keeper.start({ argv: ["/bin/sleep", "600"], stdin: "empty" });
  await using kept = keeper.kept(open.id);
  expect(await kept.state()).toMatchObject({ stdin: "closed" });
  await expect(kept.write("x")).rejects.toMatchObject({ code: "STDIN_CLOSED" });
});

test("closing takes effect after everything queued, and really ends the child's input", async () => {
  const keeper = await openKeeperHome();
  const bytes = randomBytes(100_000);
  // It reads only when told to, so that all of it is queued when the close comes.
  const script = "trap 'exec cat' USR1; echo ready; while :; do sleep 0.02; done";
  const run = await keeper.shell(script, { stdin: "open" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready\n");
  await kept.write(bytes);
  await kept.closeStdin();
  await expect(kept.write("late")).rejects.toMatchObject({ code: "STDIN_CLOSED" });
  expect(await kept.state()).toMatchObject({ stdin: "closed" });
  await kept.signal(10);
  // That cat ends at all shows that the launcher's copy of the pipe is closed too.
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
  expect((await collectOutput(kept, { from: "ready\n".length })).equals(bytes)).toBe(true);
});

test("closing with nothing ever written ends the input too, and twice is once", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  await using kept = keeper.kept(run.id);
  await kept.closeStdin();
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
});

test("10 MB arrive as they were sent", async () => {
  const keeper = await openKeeperHome();
  const bytes = randomBytes(10_000_000);
  const run = await keeper.start({ argv: ["/usr/bin/sha256sum"], stdin: "open" });
  await using kept = keeper.kept(run.id);
  await kept.write(bytes);
  await kept.closeStdin();
  await run.ended;
  const expected = createHash("sha256").update(bytes).digest("hex");
  expect((await collectOutput(kept)).toString()).toBe(`${expected}  -\n`);
});

test("a retry is not typed twice, an overlap once, and a gap is refused", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  await using first = await connect(run.directory);
  await using second = await connect(run.directory);
  expect(await first.write(7n, 0, Buffer.from("abc"))).toBe(3);
  expect(await second.write(7n, 0, Buffer.from("abc"))).toBe(3);
  expect(await second.write(7n, 2, Buffer.from("cde"))).toBe(5);
  await expect(first.write(7n, 6, Buffer.from("x"))).rejects.toMatchObject({ code: "SEQUENCE_GAP" });
  await expect(first.write(9n, 1, Buffer.from("x"))).rejects.toMatchObject({ code: "SEQUENCE_GAP" });
  // The same bytes at the same sequence of another writer are other bytes.
  expect(await first.write(8n, 0, Buffer.from("abc"))).toBe(3);
  await first.closeStdin();
  await run.ended;
  expect((await collectOutput(keeper.kept(run.id))).toString()).toBe("abcdeabc");
});

test("two writers at once mix whole writes, each in its own order", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/cat"], stdin: "open" });
  const names = ["a", "b"];
  await Promise.all(
    names.map(async (name) => {
      await using kept = keeper.kept(run.id);
      for (let i = 0; i < 500; i++) await kept.write(`${name} ${i}\n`);
    }),
  );
  await using kept = keeper.kept(run.id);
  await kept.closeStdin();
  await run.ended;
  const lines = (await collectOutput(kept)).toString().trim().split("\n");
  for (const name of names)
    expect(lines.filter((line) => line.startsWith(name))).toEqual(
      Array.from({ length: 500 }, (_, i) => `${name} ${i}`),
    );
  expect(lines).toHaveLength(1000);
});

test("a child that never reads takes a bounded part, and other requests are answered meanwhile", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.start({ argv: ["/bin/sleep", "600"], stdin: "open" });
  await using writer = await connect(run.directory);
  let accepted = 0;
  const isBlocked = Promise.withResolvers<void>();
  const onAccepted = (next: number): void => {
    // An answer that takes nothing more is the last one before room is announced.
    if (next === accepted || next % 65_536 !== 0) isBlocked.resolve();
    accepted = next;
  };
  const data = Buffer.alloc(1_000_000, "x");
  const writing = writer.write(5n, 0, data, { onAccepted }).catch((error: unknown) => {
    return isHoldfastError(error) ? error.code : error;
  });
  await Promise.race([isBlocked.promise, writing]);
  expect(accepted).toBeGreaterThanOrEqual(65_536);
  expect(accepted).toBeLessThanOrEqual(2 * 65_536);
  await using other = await connect(run.directory);
  await other.ping();
  // The same connection is not blocked either.
  expect(await writer.askState()).toMatchObject({ state: "running", stdin: "open" });
  expect(await other.stop({ graceMs: 30_000 })).toMatchObject({ outcome: "ended" });
  expect(["STDIN_CLOSED", "PROCESS_ENDED", "KEEPER_GONE"]).toContain(await writing);
});

test("a child that closes its stdin costs the bytes and nothing else", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("exec 0<&-; echo closed; exec sleep 600", { stdin: "open" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "closed");
  await kept.write("nobody reads this\n");
  await expect.poll(async () => (await kept.state()).stdin).toBe("closed");
  await expect(kept.write("x")).rejects.toMatchObject({ code: "STDIN_CLOSED" });
  expect(await kept.state()).toMatchObject({ state: "running" });
});
