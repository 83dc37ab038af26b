// The list of a thousand processes, some of which run.
import { median } from "../keeper/statistics.ts";
import { infoRow, rounds, type Row } from "../keeper/table.ts";
import type { BenchSetting } from "./bench-setting.ts";
import { DaemonHome } from "./daemon-home.ts";
import { OpenedWay } from "./open-way.ts";

const listed = 1_000;
const runningCount = 200;
const looksPerRound = 20;

export async function measureList(setting: BenchSetting): Promise<readonly Row[]> {
  await using home = await DaemonHome.open(setting.scratch, setting.daemonProgram);
  await using ours = await OpenedWay.open("holdfast", home.path);
  await ours.do("hold", { count: runningCount });
  await ours.do("round", { count: listed - runningCount, atOnce: 8 });
  const own = await listTimes(setting, ours);
  if (own.length !== listed) throw new Error(`${own.length} processes are listed`);
  const others: string[] = [];
  for (const name of setting.peers) {
    if (name !== "supervisord" && name !== "pm2") continue;
    await using way = await OpenedWay.open(name, home.path);
    await way.do("hold", { count: runningCount });
    const { times, length } = await listTimes(setting, way);
    others.push(`${median(times).toFixed(1)} ms ${name} with ${length}`);
  }
  const work = `list of ${listed} processes, ${runningCount} running, p50`;
  return [infoRow(work, rounds(own.times, "ms", 1), others.join(", "))];
}

async function listTimes(
  { roundCount }: BenchSetting,
  way: OpenedWay,
): Promise<{ readonly times: readonly number[]; readonly length: number }> {
  await way.do("list", { count: looksPerRound });
  const times: number[] = [];
  let length = 0;
  for (let index = 0; index < roundCount; index++) {
    const answer = await way.do("list", { count: looksPerRound });
    times.push(answer.p50);
    ({ length } = answer);
  }
  return { times, length };
}
