// Fifty processes that write 200 lines a second each, all of them read by one client.
import { compileProgram } from "../keeper/compile-program.ts";
import { median } from "../keeper/statistics.ts";
import { barRow, infoRow, rounds, type Row } from "../keeper/table.ts";
import type { BenchSetting } from "./bench-setting.ts";
import { DaemonHome } from "./daemon-home.ts";
import { OpenedWay } from "./open-way.ts";
import { cpuMs } from "./process-facts.ts";
import type { WayName } from "./ways/names.ts";

const processCount = 50;
const linesPerSecond = 200;
const mostCpuPercent = 25;
const mostP99Ms = 10;

interface Turn {
  /** Of the first of its processes, and of all of them. */
  readonly mainPercent: number;
  readonly allPercent: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function measureChatty(setting: BenchSetting): Promise<readonly Row[]> {
  await using home = await DaemonHome.open(setting.scratch, setting.daemonProgram);
  const producer = compileProgram(setting.scratch, "write-lines", import.meta.dirname);
  const names: readonly WayName[] = [
    "holdfast",
    "Node spawn",
    "Node forwarder",
    ...setting.peers.filter((name) => name === "tmux" || name === "pm2"),
  ];
  const turns = new Map(names.map((name) => [name, [] as Turn[]]));
  for (let index = 0; index < setting.roundCount; index++) {
    for (const name of names) turns.get(name)?.push(await takeTurn(setting, home, name, producer));
  }
  return rowsOf(turns);
}

async function takeTurn(
  { listenMs }: BenchSetting,
  home: DaemonHome,
  name: WayName,
  producer: string,
): Promise<Turn> {
  await using way = await OpenedWay.open(name, home.path);
  await way.do("follow", { argv: [producer, String(linesPerSecond)], count: processCount });
  await way.do("listen", { ms: listenMs / 5 });
  const pids = await way.do("pids", {});
  const before = pids.map(cpuMs);
  const began = performance.now();
  const { lines, p50Ms, p99Ms } = await way.do("listen", { ms: listenMs });
  const ms = performance.now() - began;
  const percents = pids.map((pid, index) => ((cpuMs(pid) - (before[index] ?? 0)) / ms) * 100);
  const expected = (processCount * linesPerSecond * listenMs) / 1000;
  if (lines < 0.95 * expected) throw new Error(`${name}: ${lines} of ${expected} lines came`);
  const allPercent = percents.reduce((sum, percent) => sum + percent, 0);
  return { mainPercent: percents[0] ?? 0, allPercent, p50Ms, p99Ms };
}

function rowsOf(turns: ReadonlyMap<WayName, readonly Turn[]>): readonly Row[] {
  const values = (name: WayName, value: (turn: Turn) => number): number[] =>
    (turns.get(name) ?? []).map(value);
  const others = [...turns.keys()].filter((name) => name !== "holdfast");
  const beside = (value: (turn: Turn) => number, unit: string, digits: number): string =>
    others.map((name) => `${median(values(name, value)).toFixed(digits)} ${unit} ${name}`).join(", ");
  const [cpu, p99] = [
    values("holdfast", (turn) => turn.mainPercent),
    values("holdfast", (turn) => turn.p99Ms),
  ];
  return [
    barRow({
      work: `${processCount} processes at ${linesPerSecond} lines/s, all read by one client: CPU of the daemon`,
      ours: rounds(cpu, "% of a core", 1),
      other: beside((turn) => turn.mainPercent, "%", 1),
      ratio: `${(median(cpu) / median(values("Node spawn", (turn) => turn.mainPercent))).toFixed(2)}x Node spawn`,
      bar: `under ${mostCpuPercent} %`,
      holds: median(cpu) < mostCpuPercent,
    }),
    infoRow(
      "… of daemon, launcher and keepers",
      rounds(
        values("holdfast", (turn) => turn.allPercent),
        "% of a core",
        1,
      ),
    ),
    infoRow(
      "… from a line written to the client, p50",
      rounds(
        values("holdfast", (turn) => turn.p50Ms),
        "ms",
      ),
      beside((turn) => turn.p50Ms, "ms", 2),
    ),
    barRow({
      work: "… from a line written to the client, p99",
      ours: rounds(p99, "ms"),
      other: beside((turn) => turn.p99Ms, "ms", 2),
      ratio: "",
      bar: `under ${mostP99Ms} ms`,
      holds: median(p99) < mostP99Ms,
    }),
  ];
}
