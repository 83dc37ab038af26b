// Start to exit code known: one at a time from a small and from a big process, and many at once.
import { BenchHome } from "./bench-home.ts";
import { startInWorker, timesOf } from "./start-in-worker.ts";
import { median } from "./statistics.ts";
import { barRow, infoRow, rounds, type Row } from "./table.ts";

const roundCount = 5;

export async function measureStarts(scratch: string): Promise<readonly Row[]> {
  await using home = await BenchHome.open(scratch);
  // Fills the cache, without which the first process would be bigger than the others.
  await startInWorker(home, { ballastMiB: 0, rounds: 0, count: 1, atOnce: 1, ways: ["ours", "node"] });
  return [...(await fromSmall(home)), await fromBig(home), await manyAtOnce(home)];
}

async function fromSmall(home: BenchHome): Promise<readonly Row[]> {
  const results = await startInWorker(home, {
    ballastMiB: 0,
    rounds: roundCount,
    count: 200,
    atOnce: 1,
    ways: ["ours", "node", "node exit"],
  });
  const [ours, node, exit] = [
    timesOf(results, "ours"),
    timesOf(results, "node"),
    timesOf(results, "node exit"),
  ];
  const ratio = median(ours.p50) / median(node.p50);
  const exitRatio = median(ours.p50) / median(exit.p50);
  const size = `${node.residentMiB.toFixed(0)} MiB`;
  return [
    barRow({
      work: `start /bin/true to exit code known, one at a time, p50, from Node of ${size}`,
      ours: rounds(ours.p50, "ms"),
      other: `${rounds(node.p50, "ms")} Node spawn`,
      ratio: `${ratio.toFixed(2)}x`,
      bar: "at most 1.30x",
      holds: ratio <= 1.3,
    }),
    infoRow(
      "… beside Node's event exit, before its output is known to be whole",
      rounds(ours.p50, "ms"),
      `${rounds(exit.p50, "ms")} Node spawn`,
      `${exitRatio.toFixed(2)}x`,
    ),
  ];
}

async function fromBig(home: BenchHome): Promise<Row> {
  const ballastMiB = 300;
  const results = await startInWorker(home, {
    ballastMiB,
    rounds: roundCount,
    count: 60,
    atOnce: 1,
    ways: ["ours", "node"],
  });
  const [ours, node] = [timesOf(results, "ours"), timesOf(results, "node")];
  const times = median(node.p50) / median(ours.p50);
  return barRow({
    work: `the same from Node with ${ballastMiB} MB of touched Buffers (${node.residentMiB.toFixed(0)} MiB)`,
    ours: rounds(ours.p50, "ms"),
    other: `${rounds(node.p50, "ms")} Node spawn`,
    ratio: `${times.toFixed(1)}x faster`,
    bar: "at least 4x faster",
    holds: times >= 4,
  });
}

async function manyAtOnce(home: BenchHome): Promise<Row> {
  const count = 500;
  const results = await startInWorker(home, {
    ballastMiB: 0,
    rounds: roundCount,
    count,
    atOnce: 16,
    ways: ["ours", "node"],
  });
  const rates = (total: readonly number[]): number[] => total.map((ms) => (count / ms) * 1000);
  const [ours, node] = [rates(timesOf(results, "ours").total), rates(timesOf(results, "node").total)];
  const times = median(ours) / median(node);
  return barRow({
    work: `${count} of them, 16 at once`,
    ours: rounds(ours, "/s", 0),
    other: `${rounds(node, "/s", 0)} Node spawn`,
    ratio: `${times.toFixed(2)}x the rate`,
    bar: "at least 1.50x",
    holds: times >= 1.5,
  });
}
