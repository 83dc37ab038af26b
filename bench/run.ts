// npm run bench NAME [-- --strict] [--quick] [PART…]: one table of measurements.
import { benchDaemon } from "./daemon/bench.ts";
import { benchDashboard } from "./dashboard/bench.ts";
import { benchKeeper } from "./keeper/bench.ts";
import { printTable } from "./keeper/table.ts";
import type { Row } from "./keeper/table.ts";
import { benchNotices } from "./notices/bench.ts";
import { benchRedaction } from "./redaction/bench.ts";
import { benchShell } from "./shell/bench.ts";
import { benchWatches } from "./watches/bench.ts";

interface BenchOptions {
  /** Fewer rounds: for work on the bench itself. */
  readonly isQuick: boolean;
  /** Only these parts; default: all. */
  readonly only: readonly string[];
}

const benches: Readonly<Record<string, (options: BenchOptions) => Promise<readonly Row[]>>> = {
  keeper: benchKeeper,
  daemon: benchDaemon,
  notices: benchNotices,
  watches: benchWatches,
  redaction: benchRedaction,
  shell: benchShell,
  dashboard: benchDashboard,
};

async function main(args: readonly string[]): Promise<number> {
  const [name = "", ...only] = args.filter((argument) => !argument.startsWith("-"));
  const bench = benches[name];
  if (bench === undefined) {
    console.error(
      `npm run bench NAME [-- --strict], where NAME is one of: ${Object.keys(benches).join(", ")}`,
    );
    return 64;
  }
  const rows = await bench({ isQuick: args.includes("--quick"), only });
  const missed = printTable(rows);
  return args.includes("--strict") && missed > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
