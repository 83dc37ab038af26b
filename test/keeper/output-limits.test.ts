// The limit keeps the first part and the newest; what was dropped between them is told, and nothing else is lost.
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { readRunDirectory, type KeptProcess } from "../../src/keeper/index.ts";
import { countedLineBytes, countLines, readCounted } from "../support/counted-output.ts";
import { openKeeperHome, type KeeperHome } from "../support/keeper-home.ts";

const headLimitBytes = 65_536;
const tailLimitBytes = 131_072;
const segmentBytes = tailLimitBytes / 8;
const lineCount = 100_000;
const totalBytes = countedLineBytes * lineCount;
const countUp = countLines(0, lineCount - 1);

async function storedBytes(directory: string): Promise<{ head: number; tail: number }> {
  const { segments } = await readRunDirectory(directory);
  const sizes = segments.map((each) => each.sizeBytes + statSync(each.indexPath).size);
  return { head: sizes[0] ?? 0, tail: sizes.slice(1).reduce((sum, size) => sum + size, 0) };
}

const limits = { headLimitBytes, tailLimitBytes };

async function trimmedError(kept: KeptProcess, from: number): Promise<unknown> {
  return await Array.fromAsync(kept.output({ from })).catch((error: unknown) => error);
}

test("head and newest are kept byte by byte, the middle is told, live and from the files", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(`${countUp}; read end`, { ...limits, stdin: "open" });
  await using kept = keeper.kept(run.id);
  await expect.poll(async () => (await kept.state()).outputBytes).toBe(totalBytes);
  const state = await kept.state();
  const live = await readCounted(kept.output());
  expect(live.end).toBe(totalBytes);
  expect(live.missing).toHaveLength(1);
  const [gone] = live.missing;
  if (gone === undefined) throw new Error("nothing is missing");
  expect(live.faults).toEqual([]);
  expect(gone.why).toBe("dropped");
  expect(state).toMatchObject({ firstTailOffset: gone.to, droppedBytes: gone.to - gone.from });
  const stored = await storedBytes(run.directory);
  expect(stored.head).toBeLessThanOrEqual(headLimitBytes + 50);
  expect(stored.head).toBeGreaterThan(headLimitBytes - countedLineBytes);
  expect(stored.tail).toBeGreaterThanOrEqual(tailLimitBytes);
  expect(stored.tail).toBeLessThanOrEqual(tailLimitBytes + segmentBytes + 100);
  for (const from of [gone.from, gone.to - 1])
    expect(await trimmedError(kept, from)).toMatchObject({
      code: "OUTPUT_TRIMMED",
      details: { firstOffset: gone.to },
    });
  await kept.write("\n");
  await run.ended;
  await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
  await using later = keeper.kept(run.id);
  expect(await readCounted(later.output())).toEqual(live);
  expect(await trimmedError(later, gone.from)).toMatchObject({ details: { firstOffset: gone.to } });
});

test("within the limit nothing is dropped, to the last byte", async () => {
  const keeper = await openKeeperHome();
  // Room for all the data and for an index line every 10 ms of a slow machine's minute.
  const tail = totalBytes - headLimitBytes + 400_000;
  const run = await keeper.shell(countUp, { headLimitBytes, tailLimitBytes: tail });
  expect(await readCounted(keeper.kept(run.id).output({ follow: true }))).toEqual({
    end: totalBytes,
    missing: [],
    faults: [],
  });
});

test("no head at all keeps only the newest", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(countUp, { headLimitBytes: 0, tailLimitBytes: 40_000 });
  await run.ended;
  const kept = keeper.kept(run.id);
  const error = await trimmedError(kept, 0);
  expect(error).toMatchObject({ code: "OUTPUT_TRIMMED" });
  const from = (error as { details: { firstOffset: number } }).details.firstOffset;
  expect(await readCounted(kept.output({ from }), from)).toEqual({
    end: totalBytes,
    missing: [],
    faults: [],
  });
  expect(totalBytes - from).toBeGreaterThan(35_000);
});

test("a follower that is overtaken is told what it missed and goes on after it", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(`echo 000000000000000; read go; ${countLines(1, lineCount - 1)}`, {
    ...limits,
    stdin: "open",
  });
  await using kept = keeper.kept(run.id);
  const stream = kept.output({ follow: true, creditBytes: 4096 });
  const first = await stream.next();
  expect(first.value).toMatchObject({ kind: "data", offset: 0 });
  await kept.write("\n");
  await expect.poll(async () => (await kept.state()).outputBytes).toBe(totalBytes);
  const rest = await readCounted(stream, countedLineBytes);
  expect(rest).toMatchObject({ end: totalBytes, faults: [] });
  expect(new Set(rest.missing.map((each) => each.why))).toEqual(new Set(["dropped"]));
  const missed = rest.missing.reduce((sum, each) => sum + each.to - each.from, 0);
  expect(missed).toBeGreaterThan(totalBytes - headLimitBytes - tailLimitBytes - 2 * segmentBytes);
});

/** One byte at a time, waiting after each until the keeper has taken it: every byte then has an index line of its own. */
const alternate = `
  sub emptied { my ($handle) = @_; my $n = pack "i", 1; do { ioctl $handle, 0x541B, $n } while unpack "i", $n }
  for (1 .. 4000) { syswrite STDOUT, "o"; emptied(*STDOUT); syswrite STDERR, "e"; emptied(*STDERR) }`;

async function runAlternating(keeper: KeeperHome, request: object): Promise<string> {
  const run = await keeper.start({ argv: ["/usr/bin/perl", "-e", alternate], ...request });
  expect(await run.ended).toMatchObject({ exit: { kind: "exited", code: 0 }, outputBytes: 8000 });
  return run.directory;
}

test("index lines count in the limit", async () => {
  const keeper = await openKeeperHome();
  const directory = await runAlternating(keeper, { headLimitBytes: 20_000, tailLimitBytes: 40_000 });
  const stored = await storedBytes(directory);
  // 8,000 bytes of data would fit easily; with 50 bytes of index for each they do not.
  expect(stored.head).toBeGreaterThan(20_000 - 100);
  expect(stored.head).toBeLessThanOrEqual(20_000 + 100);
  expect(stored.tail).toBeGreaterThanOrEqual(40_000);
  expect(stored.tail).toBeLessThanOrEqual(40_000 + 5_000 + 100);
});

test("alternating single bytes keep their order and stream", async () => {
  const keeper = await openKeeperHome();
  const directory = await runAlternating(keeper, {});
  const id = directory.split("/").at(-1) ?? "";
  let stream = "";
  let seen = "";
  for await (const event of keeper.kept(id).output({ marks: true })) {
    if (event.kind === "mark") stream = event.mark;
    if (event.kind !== "data") continue;
    expect(event.bytes.toString()).toMatch(stream === "stdout" ? /^o+$/ : /^e+$/);
    seen += event.bytes.toString();
  }
  expect(seen).toBe("oe".repeat(4000));
});
