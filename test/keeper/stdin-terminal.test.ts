// Typing at a terminal: what it would cut in silence is refused, and the end of input is a character.
import { expect, test } from "vitest";
import { connectUnixSocket, KeeperConnection } from "../../src/keeper/index.ts";
import { collectOutput, openKeeperHome, outputContains } from "../support/keeper-home.ts";

const mostLine = 4095;

test("a line longer than the terminal takes is refused whole, and nothing of it is typed", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("stty -echo; echo ready; exec cat", { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  const tooLong = "x".repeat(mostLine + 1);
  await expect(kept.write(tooLong)).rejects.toMatchObject({ code: "LINE_TOO_LONG" });
  await expect(kept.write(`before\n${tooLong}\n`)).rejects.toMatchObject({ code: "LINE_TOO_LONG" });
  await kept.write("fine\n");
  await kept.closeStdin();
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
  expect((await collectOutput(kept)).toString()).toBe("ready\r\nfine\r\n");
});

test("a line of exactly 4,095 bytes arrives whole, also in parts", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("stty -echo; echo ready; exec cat", { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  await kept.write(`${"a".repeat(mostLine)}\n`);
  await kept.write("b".repeat(4000));
  await kept.write("b".repeat(95));
  await expect(kept.write("b")).rejects.toMatchObject({ code: "LINE_TOO_LONG" });
  await kept.write("\n");
  await kept.closeStdin();
  await run.ended;
  const text = (await collectOutput(kept, { from: "ready\r\n".length })).toString();
  expect(text).toBe(`${"a".repeat(mostLine)}\r\n${"b".repeat(mostLine)}\r\n`);
});

test("lines that the child has not read yet are all kept", async () => {
  const keeper = await openKeeperHome();
  const script = "stty -echo; trap 'exec cat' USR1; echo ready; while :; do sleep 0.02; done";
  const run = await keeper.shell(script, { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready\r\n");
  const lines = Array.from({ length: 15 }, (_, i) => String(i % 10).repeat(4000));
  await kept.write(lines.map((line) => `${line}\n`).join(""));
  await kept.closeStdin();
  await kept.signal(10);
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
  const text = (await collectOutput(kept, { from: "ready\r\n".length })).toString();
  expect(text.split("\r\n").slice(0, -1)).toEqual(lines);
});

test("a raw terminal takes long data without a line end", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("stty raw -echo; printf R; exec head -c 50000", { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "R");
  const bytes = Buffer.alloc(50_000, "0123456789abcdef");
  await kept.write(bytes);
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
  expect((await collectOutput(kept, { from: 1 })).equals(bytes)).toBe(true);
});

test("closing stdin types the end-of-file character of the terminal, once for each time", async () => {
  const keeper = await openKeeperHome();
  const script = "stty -echo eof ^E; echo ready; cat; echo first; cat; echo second";
  const run = await keeper.shell(script, { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready");
  await kept.write("abc\n");
  await kept.closeStdin();
  await outputContains(kept, "abc\r\nfirst\r\n");
  await kept.write("def\n");
  await kept.closeStdin();
  await outputContains(kept, "def\r\nsecond\r\n");
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
});

test("an end of file is typed behind a queue that takes nothing more", async () => {
  const keeper = await openKeeperHome();
  const script = "stty -echo; trap 'exec cat' USR1; echo ready; while :; do sleep 0.02; done";
  const run = await keeper.shell(script, { mode: "pty" });
  await using kept = keeper.kept(run.id);
  await outputContains(kept, "ready\r\n");
  await using writer = await KeeperConnection.open(await connectUnixSocket(run.directory, "sock"));
  const data = Buffer.from("0123456789abcde\n".repeat(60_000));
  const giveUp = new AbortController();
  const isFull = Promise.withResolvers<void>();
  let accepted = 0;
  const onAccepted = (next: number): void => {
    // Less than a whole frame: the queue is full, and stays so because nobody reads.
    if (next - accepted < 65_536) isFull.resolve();
    accepted = next;
  };
  const writing = writer.write(3n, 0, data, { onAccepted, signal: giveUp.signal }).catch(() => "given up");
  await isFull.promise;
  giveUp.abort();
  expect(await writing).toBe("given up");
  // Where the queue ends within a line, the first one only ends that line.
  await kept.closeStdin();
  await kept.closeStdin();
  await kept.signal(10);
  expect((await run.ended).exit).toEqual({ kind: "exited", code: 0 });
  const text = (await collectOutput(kept, { from: "ready\r\n".length })).toString().replaceAll("\r\n", "\n");
  expect(text === data.subarray(0, accepted).toString()).toBe(true);
});
