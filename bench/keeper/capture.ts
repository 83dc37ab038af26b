// 1 GiB from one producer to disk: by a keeper that keeps all of it, and by `PRODUCER | cat > file`.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { BenchHome, benchEnvironment } from "./bench-home.ts";
import { compileProgram } from "./compile-program.ts";
import { median } from "./statistics.ts";
import { barRow, rounds, type Row } from "./table.ts";

const roundCount = 5;
const byteCount = 2 ** 30;

async function captureKept(home: BenchHome, producer: string): Promise<number> {
  const began = performance.now();
  const run = await home.start({ argv: [producer, String(byteCount)], tailLimitBytes: 4 * byteCount });
  const { outputBytes, gapBytes } = await run.ended;
  const seconds = (performance.now() - began) / 1000;
  const files = readdirSync(run.directory).filter((name) => name.endsWith(".log"));
  const stored = files.reduce((sum, name) => sum + statSync(join(run.directory, name)).size, 0);
  rmSync(run.directory, { recursive: true });
  if (outputBytes !== byteCount || gapBytes !== 0 || stored !== byteCount)
    throw new Error(`the keeper stored ${stored} of ${outputBytes} bytes, gap ${gapBytes}`);
  return byteCount / 2 ** 20 / seconds;
}

async function captureCat(file: string, producer: string): Promise<number> {
  const began = performance.now();
  const shell = spawn("/bin/sh", ["-c", '"$1" "$2" | cat > "$3"', "sh", producer, String(byteCount), file], {
    env: benchEnvironment,
    stdio: "ignore",
  });
  await once(shell, "close");
  const seconds = (performance.now() - began) / 1000;
  const stored = statSync(file).size;
  rmSync(file);
  if (stored !== byteCount) throw new Error(`cat stored ${stored} bytes`);
  return byteCount / 2 ** 20 / seconds;
}

export async function measureCapture(scratch: string): Promise<readonly Row[]> {
  await using home = await BenchHome.open(scratch);
  const producer = compileProgram(scratch, "write-blocks");
  const ways = [
    { rates: [] as number[], measure: () => captureKept(home, producer) },
    { rates: [] as number[], measure: () => captureCat(join(scratch, "cat-output"), producer) },
  ] as const;
  for (let index = 0; index <= roundCount; index++) {
    for (const way of index % 2 === 0 ? ways : ways.toReversed()) {
      // Or the pages of the one before would be written out during this one.
      spawnSync("sync");
      const rate = await way.measure();
      if (index > 0) way.rates.push(rate);
    }
  }
  const [ours, cat] = ways;
  const times = median(ours.rates) / median(cat.rates);
  return [
    barRow({
      work: "1 GiB captured to disk, in writes of 64 KiB",
      ours: rounds(ours.rates, "MiB/s", 0),
      other: `${rounds(cat.rates, "MiB/s", 0)} PRODUCER | cat > file`,
      ratio: `${times.toFixed(2)}x the rate`,
      bar: "at least 0.95x",
      holds: times >= 0.95,
    }),
  ];
}
