// npm run bench notices: from the end of a process to whoever is told of it, beside what Node hears of its own child, in the same run.
import { rm } from "node:fs/promises";
import { loadavg } from "node:os";
import type { Client } from "../../src/sdk/index.ts";
import { buildPackage } from "../daemon/build-package.ts";
import { DaemonHome } from "../daemon/daemon-home.ts";
import { cpuMs } from "../daemon/process-facts.ts";
import { makeScratch } from "../keeper/bench.ts";
import { compileProgram } from "../keeper/compile-program.ts";
import { describeMachine } from "../keeper/machine.ts";
import { infoRow, rounds, type Row } from "../keeper/table.ts";
import { EndTimes, type EndTimesResult } from "./end-times.ts";
import { readAll, readStream, receiveWebhook, spawnOne, type Receiver } from "./receivers.ts";

const amounts = {
  full: { roundCount: 5, warmUp: 200, endings: 1_000 },
  /** For work on the bench itself. */
  quick: { roundCount: 2, warmUp: 20, endings: 100 },
} as const;
const crowdAtOnce = 16;

export interface NoticesBenchOptions {
  readonly isQuick: boolean;
}

type Way = "stream" | "webhook" | "Node spawn";
type Results = Map<string, EndTimesResult[]>;
/** Processor time of the daemon for one, in milliseconds. */
type Costs = Map<string, number[]>;

export async function benchNotices({ isQuick }: NoticesBenchOptions): Promise<readonly Row[]> {
  const scratch = makeScratch();
  const { roundCount, warmUp, endings } = amounts[isQuick ? "quick" : "full"];
  const results: Results = new Map();
  const costs: Costs = new Map();
  try {
    const program = compileProgram(scratch, "end-now", import.meta.dirname);
    const { daemonProgram } = await buildPackage(scratch);
    console.log(`${describeMachine(scratch)}\n`);
    for (let round = 0; round < roundCount; round++) {
      console.error(`round ${round + 1} of ${roundCount} … (load ${loadavg()[0]?.toFixed(1)})`);
      // A fresh home each: retention and the size of the store change nothing between rounds.
      await using home = await DaemonHome.open(scratch, daemonProgram);
      const client = await home.connect();
      const start = (): Promise<unknown> => startOne(client, program);
      for (const [way, open] of waysOf(client, scratch)) {
        const receiver = await open();
        const before = cpuMs(home.daemonPid);
        await measure(results, way, { receiver, start, warmUp, endings });
        note(costs, way, (cpuMs(home.daemonPid) - before) / (warmUp + 2 * endings));
        await receiver.close();
      }
      const before = cpuMs(home.daemonPid);
      const read = await readAll(client);
      note(costs, "late reader", (cpuMs(home.daemonPid) - before) / read);
      client.close();
      const times = new EndTimes();
      const receiver = { times, close: () => Promise.resolve() };
      await measure(results, "Node spawn", {
        receiver,
        start: () => spawnOne(program, times),
        warmUp,
        endings,
      });
    }
  } finally {
    // Only now: making files is slower where many were just removed.
    await rm(scratch, { recursive: true, force: true });
  }
  return [...rowsOf(results, endings), ...costRows(costs)];
}

function waysOf(client: Client, scratch: string): ReadonlyArray<readonly [Way, () => Promise<Receiver>]> {
  return [
    ["stream", () => readStream(client)],
    ["webhook", () => receiveWebhook(client, scratch)],
  ];
}

async function startOne(client: Client, program: string): Promise<void> {
  await client.process.start({ command: [program], cwd: "/", notify: "end", owner: { session: "bench" } });
}

interface Measurement {
  readonly receiver: Receiver;
  readonly start: () => Promise<unknown>;
  readonly warmUp: number;
  readonly endings: number;
}

async function measure(results: Results, way: Way, work: Measurement): Promise<void> {
  const { times } = work.receiver;
  const run = async (count: number, atOnce: number): Promise<EndTimesResult> => {
    await startAll(work.start, count, atOnce, times);
    return times.take();
  };
  const keep = (key: string, result: EndTimesResult): void =>
    void results.set(key, [...(results.get(key) ?? []), result]);
  await run(work.warmUp, 1);
  keep(`${way} 1`, await run(work.endings, 1));
  keep(`${way} ${crowdAtOnce}`, await run(work.endings, crowdAtOnce));
}

function note(costs: Costs, what: string, ms: number): void {
  costs.set(what, [...(costs.get(what) ?? []), ms]);
}

function costRows(costs: Costs): readonly Row[] {
  const shown = (what: string): string => rounds(costs.get(what) ?? [], "ms");
  return [
    infoRow(
      "processor time of the daemon for one start, its end and its notice on the stream",
      shown("stream"),
    ),
    infoRow("… and its notice by a webhook", shown("webhook")),
    infoRow("… for one notice alone: a reader that comes late reads all of them", shown("late reader")),
  ];
}

/** One at a time: the next begins when the end of the one before it was told. */
async function startAll(
  start: () => Promise<unknown>,
  count: number,
  atOnce: number,
  times: EndTimes,
): Promise<void> {
  if (atOnce === 1) {
    for (let index = 1; index <= count; index++) {
      await start();
      await times.reaches(index);
    }
    return;
  }
  let left = count;
  const starters = Array.from({ length: atOnce }, async () => {
    while (left-- > 0) await start();
  });
  await Promise.all(starters);
  await times.reaches(count);
}

function rowsOf(results: Results, endings: number): readonly Row[] {
  const shown = (way: Way, atOnce: number, part: keyof EndTimesResult): string => {
    const values = (results.get(`${way} ${atOnce}`) ?? []).map((result) => result[part]);
    return rounds(values, "ms");
  };
  const rows: Row[] = [];
  for (const atOnce of [1, crowdAtOnce]) {
    const how = atOnce === 1 ? "one at a time" : `started ${atOnce} at once`;
    for (const way of ["stream", "webhook"] as const) {
      const whose =
        way === "stream" ? "a reader of the stream has its notice" : "a webhook on loopback has it";
      for (const [name, part] of [["p50", "p50Ms"] as const, ["p99", "p99Ms"] as const]) {
        const work = `end of a process until ${whose}, ${endings} ${how}, ${name}`;
        const beside = `${shown("Node spawn", atOnce, part)} Node's own child, closed`;
        rows.push(infoRow(work, shown(way, atOnce, part), beside));
      }
    }
  }
  return rows;
}
