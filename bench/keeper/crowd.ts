// Whether a start is slower, and a new launcher late, when a thousand runs are alive.
import { setTimeout as delay } from "node:timers/promises";
import { BenchHome } from "./bench-home.ts";
import { memoryOf } from "./memory.ts";
import { startInWorker, timesOf } from "./start-in-worker.ts";
import { median } from "./statistics.ts";
import { infoRow, rounds, type Row } from "./table.ts";

const runCount = 1_000;

async function startTimes(home: BenchHome): Promise<readonly number[]> {
  const work = { ballastMiB: 0, rounds: 5, count: 100, atOnce: 1, ways: ["ours"] } as const;
  return timesOf(await startInWorker(home, work), "ours").p50;
}

async function restartLauncher(home: BenchHome): Promise<number> {
  const began = performance.now();
  process.kill(home.launcherPid, "SIGKILL");
  // The first question starts the next launcher; then every keeper comes and registers.
  for (;;) {
    const { held } = await home.launcher.status();
    if (held >= runCount) return performance.now() - began;
    if (performance.now() - began > 60_000) throw new Error(`only ${held} keepers came back`);
    await delay(1);
  }
}

export async function measureCrowd(scratch: string): Promise<readonly Row[]> {
  await using home = await BenchHome.open(scratch);
  const alone = await startTimes(home);
  let left = runCount;
  const startSome = async (): Promise<void> => {
    while (left-- > 0) await home.start({ argv: ["/bin/sleep", "1000"] });
  };
  await Promise.all(Array.from({ length: 8 }, startSome));
  const crowded = await startTimes(home);
  const { pssKiB, privateKiB } = memoryOf(home.launcherPid);
  const restartMs = await restartLauncher(home);
  return [
    infoRow(
      `start /bin/true to exit code known while ${runCount} runs are alive, p50`,
      rounds(crowded, "ms"),
      `${rounds(alone, "ms")} with none`,
      `${(median(crowded) / median(alone)).toFixed(2)}x`,
    ),
    infoRow(`memory of the launcher with ${runCount} runs`, `${pssKiB} KiB PSS, ${privateKiB} KiB private`),
    infoRow(`launcher killed until the next one holds all ${runCount} runs`, `${restartMs.toFixed(0)} ms`),
  ];
}
