// What a simple verb of the built command line costs, beside a Node that does nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { median, quantile } from "../keeper/statistics.ts";
import { barRow, rounds, type Row } from "../keeper/table.ts";
import type { BenchSetting } from "./bench-setting.ts";
import { DaemonHome } from "./daemon-home.ts";

const runsPerRound = 20;

export async function measureCommandLine(setting: BenchSetting): Promise<readonly Row[]> {
  await using home = await DaemonHome.open(setting.scratch, setting.daemonProgram);
  const commands = [
    { times: [] as number[], args: [setting.cliProgram, "ps"] },
    { times: [] as number[], args: ["-e", "0"] },
  ] as const;
  for (let index = 0; index <= setting.roundCount; index++) {
    const samples = commands.map(() => [] as number[]);
    for (let run = 0; run < runsPerRound; run++) {
      for (const [which, { args }] of commands.entries())
        samples[which]?.push(await timeOf(args, home.environment));
    }
    // The first round fills the compile cache.
    if (index > 0)
      for (const [which, { times }] of commands.entries()) times.push(quantile(samples[which] ?? [], 0.5));
  }
  const [ours, bare] = commands;
  const ratio = median(ours.times) / median(bare.times);
  return [
    barRow({
      work: "holdfast ps, p50",
      ours: rounds(ours.times, "ms", 1),
      other: `${rounds(bare.times, "ms", 1)} node -e 0`,
      ratio: `${ratio.toFixed(2)}x`,
      bar: "at most 2x",
      holds: ratio <= 2,
    }),
  ];
}

async function timeOf(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const { NODE_COMPILE_CACHE: _cache, ...env } = environment; // the command line has its own
  const began = performance.now();
  const child = spawn(process.execPath, args, { env, cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.resume();
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`);
  return performance.now() - began;
}
