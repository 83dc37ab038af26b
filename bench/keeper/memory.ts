// What a keeper costs while nothing happens, and after it has had something to do.
import { readFileSync } from "node:fs";
import { BenchHome } from "./bench-home.ts";
import { median } from "./statistics.ts";
import { barRow, infoRow, type Row } from "./table.ts";

const keeperCount = 200;
const mostKiB = 256;

interface Memory {
  readonly pssKiB: number;
  readonly privateKiB: number;
}

export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const field = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]);
  return { pssKiB: field("Pss"), privateKiB: field("Private_Clean") + field("Private_Dirty") };
}

function describe(memory: readonly Memory[]): string {
  const pss = median(memory.map((one) => one.pssKiB));
  const own = median(memory.map((one) => one.privateKiB));
  return `${pss} KiB PSS, ${own} KiB private`;
}

export async function measureMemory(scratch: string): Promise<readonly Row[]> {
  await using home = await BenchHome.open(scratch);
  const keepers: number[] = [];
  for (let index = 0; index < keeperCount; index++)
    keepers.push((await home.start({ argv: ["/bin/sleep", "1000"] })).keeperPid);
  const idle = keepers.map(memoryOf);
  const most = Math.max(median(idle.map((one) => one.pssKiB)), median(idle.map((one) => one.privateKiB)));
  const script = "head -c 10000000 /dev/zero; echo done >&2; exec sleep 1000";
  const busy = await home.start({ argv: ["/bin/sh", "-c", script] });
  await home.outputReaches(busy, 10_000_005);
  return [
    barRow({
      work: `memory of a keeper, idle, median of ${keeperCount}`,
      ours: describe(idle),
      other: "",
      ratio: "",
      bar: `at most ${mostKiB} KiB`,
      holds: most <= mostKiB,
    }),
    infoRow("… after 10 MB of output", describe([memoryOf(busy.keeperPid)])),
    infoRow(`… of the launcher, with ${keeperCount} runs`, describe([memoryOf(home.launcherPid)])),
  ];
}
