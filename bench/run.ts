// npm run bench NAME [-- --strict]: one table of measurements.
import { benchKeeper } from "./keeper/bench.ts";
import { printTable } from "./keeper/table.ts";
import type { Row } from "./keeper/table.ts";

const benches: Readonly<Record<string, () => Promise<readonly Row[]>>> = { keeper: benchKeeper };

async function main(args: readonly string[]): Promise<number> {
  const isStrict = args.includes("--strict");
  const name = args.find((argument) => !argument.startsWith("-"));
  const bench = name === undefined ? undefined : benches[name];
  if (bench === undefined) {
    console.error(
      `npm run bench NAME [-- --strict], where NAME is one of: ${Object.keys(benches).join(", ")}`,
    );
    return 64;
  }
  const rows = await bench();
  const missed = printTable(rows);
  return isStrict && missed > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
