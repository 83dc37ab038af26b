// Start to exit code known: one at a time beside everybody, and many at once beside Node's own spawn.
import { median } from "../keeper/statistics.ts";
import { barRow, infoRow, rounds, type Row } from "../keeper/table.ts";
import type { BenchSetting } from "./bench-setting.ts";
import { DaemonHome } from "./daemon-home.ts";
import { OpenedWay } from "./open-way.ts";
import type { Answers } from "./way-worker.ts";
import type { WayName } from "./ways/names.ts";

const crowdSize = 500;
const crowdAtOnce = 16;

const ourWays = ["holdfast", "holdfast two calls", "holdfast events"] as const;

type Results = ReadonlyMap<WayName, readonly Answers["round"][]>;

export async function measureStarts(setting: BenchSetting): Promise<readonly Row[]> {
  await using home = await DaemonHome.open(setting.scratch, setting.daemonProgram);
  await using stack = new AsyncDisposableStack();
  const opened: OpenedWay[] = [];
  for (const name of [...ourWays, "Node spawn", ...setting.peers] as const)
    opened.push(stack.use(await OpenedWay.open(name, home.path)));
  for (const way of opened) await way.do("round", { count: setting.warmUpStarts, atOnce: 1 });
  const single = await inTurns(setting, opened, { count: setting.startsPerRound, atOnce: 1 });
  const crowdWays = opened.filter(({ name }) => name === "Node spawn" || name.startsWith("holdfast"));
  for (const way of crowdWays) await way.do("round", { count: crowdSize, atOnce: crowdAtOnce });
  const crowd = await inTurns(setting, crowdWays, { count: crowdSize, atOnce: crowdAtOnce });
  return [...singleRows(single), ...crowdRows(crowd)];
}

const otherDoors = [
  ["holdfast two calls", "as two calls, a start and a wait"],
  ["holdfast events", "the end heard as an event"],
] as const;

/** Who comes first moves on, so that nobody always follows the same one. */
async function inTurns(
  { roundCount }: BenchSetting,
  opened: readonly OpenedWay[],
  work: { readonly count: number; readonly atOnce: number },
): Promise<Results> {
  const results = new Map(opened.map(({ name }) => [name, [] as Answers["round"][]]));
  for (let index = 0; index < roundCount; index++) {
    const first = index % opened.length;
    for (const way of [...opened.slice(first), ...opened.slice(0, first)])
      results.get(way.name)?.push(await way.do("round", work));
  }
  return results;
}

function valuesOf(results: Results, name: WayName, value: (one: Answers["round"]) => number): number[] {
  return (results.get(name) ?? []).map(value);
}

function singleRows(results: Results): readonly Row[] {
  const p50 = (name: WayName): number[] => valuesOf(results, name, (one) => one.p50);
  const work = "start /bin/true to exit code known through the API, one at a time, p50";
  const [ours, node] = [p50("holdfast"), p50("Node spawn")];
  const size = valuesOf(results, "Node spawn", (one) => one.residentMiB).at(-1) ?? 0;
  const ratio = median(ours) / median(node);
  const rows = [
    barRow({
      work,
      ours: rounds(ours, "ms"),
      other: `${rounds(node, "ms")} Node spawn, from ${size.toFixed(0)} MiB`,
      ratio: `${ratio.toFixed(2)}x`,
      bar: "at most 2x",
      holds: ratio <= 2,
    }),
    ...otherDoors.map(([name, what]) =>
      infoRow(
        `… ${what}`,
        rounds(p50(name), "ms"),
        `${rounds(node, "ms")} Node spawn`,
        `${(median(p50(name)) / median(node)).toFixed(2)}x`,
      ),
    ),
  ];
  for (const name of results.keys()) {
    if (name.startsWith("holdfast") || name === "Node spawn") continue;
    const times = median(p50(name)) / median(ours);
    rows.push(
      barRow({
        work: "… beside another that keeps processes",
        ours: rounds(ours, "ms"),
        other: `${rounds(p50(name), "ms")} ${name}`,
        ratio: `${times.toFixed(2)}x faster`,
        bar: "ahead",
        holds: times > 1,
      }),
    );
  }
  return rows;
}

function crowdRows(results: Results): readonly Row[] {
  const rates = (name: WayName): number[] =>
    valuesOf(results, name, (one) => (crowdSize / one.totalMs) * 1000);
  const node = rates("Node spawn");
  const describe = (name: WayName): Pick<Row, "ours" | "other" | "ratio"> => ({
    ours: rounds(rates(name), "/s", 0),
    other: `${rounds(node, "/s", 0)} Node spawn`,
    ratio: `${(median(rates(name)) / median(node)).toFixed(2)}x the rate`,
  });
  return [
    barRow({
      work: `${crowdSize} of them, ${crowdAtOnce} at once`,
      ...describe("holdfast"),
      bar: "faster; aim 1,000/s",
      holds: median(rates("holdfast")) > median(node),
    }),
    ...otherDoors.map(([name, what]) => {
      const { ours, other, ratio } = describe(name);
      return infoRow(`… ${what}`, ours, other, ratio);
    }),
  ];
}
