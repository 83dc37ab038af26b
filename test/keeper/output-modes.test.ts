// What reaches the output, from which stream, in which order and when.
import { expect, test } from "vitest";
import type { KeptProcess, Mark, OutputEvent } from "../../src/keeper/index.ts";
import { collectOutput, openKeeperHome } from "../support/keeper-home.ts";

async function allEvents(kept: KeptProcess): Promise<OutputEvent[]> {
  const events: OutputEvent[] = [];
  for await (const event of kept.output({ follow: true, marks: true })) events.push(event);
  return events;
}

function marksOf(events: readonly OutputEvent[]): Mark[] {
  return events.flatMap((event) => (event.kind === "mark" ? [event] : []));
}

/** The bytes of each stream, told apart by the marks. */
function byStream(events: readonly OutputEvent[]): Record<"stdout" | "stderr", string> {
  const texts = { stdout: "", stderr: "" };
  let stream: "stdout" | "stderr" | undefined;
  for (const event of events) {
    if (event.kind === "mark" && (event.mark === "stdout" || event.mark === "stderr")) stream = event.mark;
    if (event.kind !== "data") continue;
    if (stream === undefined) throw new Error("data before the mark that names its stream");
    texts[stream] += event.bytes.toString("latin1");
  }
  return texts;
}

const alternating = "i=0; while [ $i -lt 500 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done";
const lines = (word: string): string => Array.from({ length: 500 }, (_, i) => `${word} ${i}\n`).join("");

test("split keeps the streams apart, each in its order", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(alternating, { mode: "split" });
  const events = await allEvents(keeper.kept(run.id));
  expect(byStream(events)).toEqual({ stdout: lines("out"), stderr: lines("err") });
});

test("the files alone tell the same as the keeper did", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(`${alternating}; sleep 0.05; echo last`, { mode: "split" });
  const join = (events: readonly OutputEvent[]) => ({ texts: byStream(events), marks: marksOf(events) });
  const live = join(await allEvents(keeper.kept(run.id)));
  await run.ended;
  await expect.poll(() => keeper.launcher.status()).toMatchObject({ held: 0 });
  const stored = join(await allEvents(keeper.kept(run.id)));
  expect(stored).toEqual(live);
});

test("merged keeps the exact order of both streams", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell(alternating, { mode: "merged" });
  const expected = Array.from({ length: 500 }, (_, i) => `out ${i}\nerr ${i}\n`).join("");
  expect((await collectOutput(keeper.kept(run.id))).toString()).toBe(expected);
});

test("marks carry times that never go back, and lie on the offsets they describe", async () => {
  const keeper = await openKeeperHome();
  const script = "for i in 1 2 3 4 5; do echo $i; read go; sleep 0.03; done";
  const run = await keeper.shell(script, { mode: "merged", stdin: "open" });
  await using kept = keeper.kept(run.id);
  for (let line = 1; line <= 5; line++) {
    // Taken, before the pause begins: two lines that wait for a busy keeper would get one mark.
    await expect.poll(async () => (await kept.state()).outputBytes).toBe(2 * line);
    await kept.write("\n");
  }
  const events = await allEvents(keeper.kept(run.id));
  const record = await run.ended;
  const marks = marksOf(events);
  const times = marks.map((mark) => mark.timeUs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(marks.map((mark) => mark.offset)).toEqual([0, 2, 4, 6, 8]);
  // Four pauses of 30 ms lie between the first and the last line.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(115_000);
  expect(times.at(-1)).toBeLessThan(record.durationUs);
});

test("a client may begin anywhere, and at the end", async () => {
  const keeper = await openKeeperHome();
  const run = await keeper.shell("printf 0123456789; read line; printf %s $line", { stdin: "open" });
  const kept = keeper.kept(run.id);
  await expect.poll(async () => (await kept.state()).outputBytes).toBe(10);
  expect((await collectOutput(kept, { from: 4, follow: false })).toString()).toBe("456789");
  const stream = kept.output({ from: "end", follow: true, marks: true });
  // The line in force comes at once; from then on the stream knows where it began.
  expect((await stream.next()).value).toMatchObject({ kind: "mark", mark: "stdout", offset: 0 });
  await kept.write("abc\n");
  const events = await Array.fromAsync(stream);
  const bytes = events.flatMap((event) => (event.kind === "data" ? [event.bytes] : []));
  expect(Buffer.concat(bytes).toString()).toBe("abc");
  expect(events.at(-1)).toEqual({ kind: "end", nextOffset: 13, why: "closed" });
  kept.close();
});
