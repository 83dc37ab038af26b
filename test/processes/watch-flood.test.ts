// A child that writes as fast as it can, and patterns made to be slow: neither memory nor pushes grow, the child is not
// held up, and the daemon answers everybody else. SOAK_ROUNDS set: ten seconds instead of two.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { OperationOutput } from "../../src/protocol/operations.ts";
import { ask, runToEnd } from "../support/daemon-calls.ts";
import { sharedDaemonHome, type DaemonHome } from "../support/daemon-home.ts";
import { hitsOf, noticesOf, untilEndsTold, watchesOf } from "../support/watch-calls.ts";

const shared = await sharedDaemonHome();

const seconds = process.env["SOAK_ROUNDS"] === undefined ? 2 : 10;

type Watches = { kind: "text"; text: string }[];

function memoryMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

/** How long the daemon and this test have been ready to go on and had no processor: that is the machine's doing. */
function waitedForProcessorMs(daemon: DaemonHome): number {
  const waitedNs = [daemon.pid(), process.pid].map((each) =>
    Number(readFileSync(`/proc/${each}/schedstat`, "utf8").split(" ")[1]),
  );
  return waitedNs.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

/** Longest answer while `work` is under way, as a machine with nothing else to do would give it, and the most memory the daemon had. */
async function strain<Result>(
  daemon: DaemonHome,
  work: Promise<Result>,
): Promise<{ result: Result; slowestMs: number; mostMib: number }> {
  const over = work.then((result) => ({ result }));
  let slowestMs = 0;
  let mostMib = 0;
  for (;;) {
    const startMs = performance.now() - waitedForProcessorMs(daemon);
    await ask(daemon, "process.list", {});
    slowestMs = Math.max(slowestMs, performance.now() - waitedForProcessorMs(daemon) - startMs);
    mostMib = Math.max(mostMib, memoryMib(daemon.pid()));
    const sampled = new Promise<undefined>((resolve) => setTimeout(resolve, 100, undefined)); // a pace, not a wait
    const done = await Promise.race([over, sampled]);
    if (done !== undefined) return { ...done, slowestMs, mostMib };
  }
}

async function yes(daemon: DaemonHome, watches: Watches): Promise<{ id: string; bytes: number }> {
  const id = await runToEnd(daemon, "", { command: ["timeout", String(seconds), "yes"], watches });
  return { id, bytes: (await ask(daemon, "process.get", { id })).outputBytes };
}

test(
  `yes for ${seconds} s under a watch on each of its lines: bounded memory and pushes, the child not held up, gaps told`,
  async () => {
    const daemon = shared;
    const watches: Watches = [{ kind: "text", text: "y" }];
    // One before and one after: what else the machine does meets both.
    const free = [(await yes(daemon, [])).bytes];
    const beforeMib = memoryMib(daemon.pid());
    const { result, slowestMs, mostMib } = await strain(daemon, yes(daemon, watches));
    free.push((await yes(daemon, [])).bytes);
    expect(result.bytes, "two cores, and the matcher takes what is left").toBeGreaterThan(
      Math.min(...free) * 0.3,
    );
    expect(mostMib - beforeMib).toBeLessThan(250);
    expect(slowestMs).toBeLessThan(3_000);
    const { id, bytes } = result;
    await untilEndsTold(daemon);
    expect((await noticesOf(daemon, id, "watch.matched")).length).toBeLessThanOrEqual(3);
    const gapNotices = await noticesOf(daemon, id, "watch.gap");
    const [watch] = await watchesOf(daemon, id);
    const { gaps } = await ask(daemon, "watch.hits", { watch: watch?.id ?? "", limit: 1 });
    expect(gapNotices).toHaveLength(gaps.length > 0 ? 1 : 0);
    expect(gaps.length).toBeLessThanOrEqual(100);
    // Every line is counted or lies in a gap; a gap begins and ends inside one.
    const missed = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
    const [hits = 0] = await hitsOf(daemon, id);
    expect(hits * 2).toBeLessThanOrEqual(bytes + 2 * gaps.length);
    expect(hits * 2).toBeGreaterThanOrEqual(bytes - missed - 4 * gaps.length);
  },
  60_000 + seconds * 10_000,
);

test("output that left a tiny log before it was looked at is recorded and told once; what is kept is found", async () => {
  const daemon = shared;
  const id = await runToEnd(daemon, "seq 300000; echo the end", {
    limits: { headBytes: 4_096, tailBytes: 8_192 },
    watches: [
      { kind: "regex", regex: "^\\d+$" },
      { kind: "text", text: "the end" },
    ],
  });
  await untilEndsTold(daemon);
  const [numbers = 0, end] = await hitsOf(daemon, id);
  expect(end).toBe(1);
  expect(numbers).toBeLessThan(300_000);
  const [watch] = await watchesOf(daemon, id);
  const found: OperationOutput<"watch.hits"> = await ask(daemon, "watch.hits", { watch: watch?.id ?? "" });
  expect(found.hits[0]).toEqual({ offset: 0, line: "1", stream: "stdout" });
  expect(found.gaps.length).toBeGreaterThan(0);
  // Counted where it was looked at, in parts of a MiB, whether or not the lines are still kept.
  expect(found.counts.reduce((sum, { hits }) => sum + hits, 0)).toBe(numbers);
  for (const { from, to } of found.counts) expect([from % 1_048_576, to - from]).toEqual([0, 1_048_576]);
  const late = await ask(daemon, "watch.hits", { watch: watch?.id ?? "", from: 1_048_576 });
  expect(late.counts).toEqual(found.counts.filter(({ from }) => from > 0));
  const [told, ...more] = await noticesOf(daemon, id, "watch.gap");
  expect(more).toEqual([]);
  expect(told?.data["from"]).toBe(found.gaps[0]?.from);
  expect(told?.text).toContain("was dropped, or could not be read, before its watches had looked at it");
});

test("patterns made to be slow hold up neither the daemon nor the watches of others for long", async () => {
  const daemon = shared;
  const hostile = [
    "(a+)+$",
    "(a|aa)+$",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(.*a){30}",
    "(x+x+)+y",
    "(x?){90}x{90}y",
  ];
  const slow = await ask(daemon, "process.start", {
    command: `head -c 200000 /dev/zero | tr '\\0' x; echo; head -c 200000 /dev/zero | tr '\\0' a; echo '!'; cat`,
    cwd: "/",
    stdin: "open",
    watches: [...hostile, `${"[ab]?".repeat(199)}end`].map((regex) => ({ kind: "regex" as const, regex })),
  });
  const other = await ask(daemon, "process.start", {
    command: "sleep 0.5; echo here",
    cwd: "/",
    watches: [{ kind: "text", text: "here" }],
  });
  const ended = ask(daemon, "process.wait", { ids: [other.id], timeoutMs: 60_000 });
  const { slowestMs } = await strain(daemon, ended);
  expect(slowestMs).toBeLessThan(1_500);
  await untilEndsTold(daemon);
  expect(await hitsOf(daemon, other.id)).toEqual([1]);
  await ask(daemon, "process.stop", { ids: [slow.id], graceMs: 0 });
});
