// What confinement adds to a start: the same start with lists as the daemon makes them.
import { BenchHome } from "./bench-home.ts";
import { startInWorker, timesOf } from "./start-in-worker.ts";
import { median } from "./statistics.ts";
import { infoRow, rounds, type Row } from "./table.ts";

const roundCount = 5;

export async function measureConfined(scratch: string): Promise<readonly Row[]> {
  await using home = await BenchHome.open(scratch);
  const results = await startInWorker(home, {
    ballastMiB: 0,
    rounds: roundCount,
    count: 200,
    atOnce: 1,
    ways: ["ours", "confined"],
  });
  const [plain, confined] = [timesOf(results, "ours"), timesOf(results, "confined")];
  const addedMs = median(confined.p50) - median(plain.p50);
  return [
    infoRow(
      "start /bin/true, confined, to exit code known, p50",
      rounds(confined.p50, "ms"),
      `${rounds(plain.p50, "ms")} not confined`,
      `+${addedMs.toFixed(2)} ms`,
    ),
  ];
}
