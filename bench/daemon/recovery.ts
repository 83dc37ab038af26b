// A daemon killed over a thousand processes: how long until the next one answers and has them all.
import { median } from "../keeper/statistics.ts";
import { barRow, rounds, type Row } from "../keeper/table.ts";
import type { BenchSetting } from "./bench-setting.ts";
import { DaemonHome } from "./daemon-home.ts";
import { holdIdle } from "./ways/holdfast.ts";

const processCount = 1_000;
const mostMs = 2_000;

export async function measureRecovery(setting: BenchSetting): Promise<readonly Row[]> {
  await using home = await DaemonHome.open(setting.scratch, setting.daemonProgram);
  const client = await home.connect();
  await holdIdle(client, processCount);
  client.close();
  const [times, empty]: [number[], number[]] = [[], []];
  for (let index = 0; index < setting.roundCount; index++) {
    await using nobody = await DaemonHome.open(setting.scratch, setting.daemonProgram);
    await nobody.kill("SIGKILL");
    empty.push(await untilAllRun(nobody, 0));
    await home.kill("SIGKILL");
    times.push(await untilAllRun(home, processCount));
  }
  return [
    barRow({
      work: `daemon killed with ${processCount} live processes: start of the next until it answers with all running`,
      ours: rounds(times, "ms", 0),
      other: `${rounds(empty, "ms", 0)} with none`,
      ratio: `+${(median(times) - median(empty)).toFixed(0)} ms`,
      bar: `within ${mostMs / 1000} s`,
      holds: median(times) <= mostMs,
    }),
  ];
}

async function untilAllRun(home: DaemonHome, count: number): Promise<number> {
  const began = performance.now();
  await home.start();
  const client = await home.connect();
  try {
    const { processes, running } = await client.process.list({ states: ["running"], limit: 1_000 });
    const ms = performance.now() - began;
    if (processes.length !== count || running !== count) throw new Error(`only ${running} run`);
    return ms;
  } finally {
    client.close();
  }
}
