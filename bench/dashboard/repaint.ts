// How long the screen of a terminal with a long history takes to come back: in a page that is loaded again, and after kill -9 of the daemon.
import { median } from "../keeper/statistics.ts";
import { rounds as shownRounds, barRow, type Row } from "../keeper/table.ts";
import { awaitTextOnLoad, paintedAt } from "./first-text.ts";
import { withHome, type BenchOptions, type OpenHome } from "./open-home.ts";

const mostMs = 500;
const lastLine = "all is written";
const writingTimeoutMs = 300_000;

export async function benchRepaint(options: BenchOptions): Promise<readonly Row[]> {
  const amount = options.isQuick
    ? { bytes: 64 * 1024 * 1024, history: "64 MiB", rounds: 3 }
    : { bytes: 1024 * 1024 * 1024, history: "1 GiB", rounds: 10 };
  const long = await withHome(options, (opened) => measure(opened, amount));
  const short = await withHome(options, (opened) => measure(opened, { ...amount, bytes: 1_000 }));
  const row = (what: string, times: readonly number[], without: readonly number[]): Row =>
    barRow({
      work: `screen of a terminal with ${amount.history} of history on a page that is loaded again${what}`,
      ours: shownRounds(times, "ms", 0),
      other: `${shownRounds(without, "ms", 0)} with no history`,
      ratio: `${(median(times) / median(without)).toFixed(2)}x`,
      bar: `${mostMs} ms, each`,
      holds: Math.max(...times) <= mostMs,
    });
  return [
    row("", long.reloads, short.reloads),
    row(", first after kill -9 of the daemon", long.restarts, short.restarts),
  ];
}

async function measure(
  { home, client, page, origin }: OpenHome,
  { bytes, rounds }: { readonly bytes: number; readonly rounds: number },
): Promise<{ reloads: number[]; restarts: number[] }> {
  const line = "a line of this very long history, as long as lines often are";
  const { id } = await client.process.start({
    // The mark is put together, so that the command itself does not show it.
    command: `yes '${line}' | head -c ${bytes}; printf '\\n%s is written\\n' all; exec cat`,
    cwd: "/",
    mode: "pty",
    stdin: "open",
    limits: { tailBytes: 2 * Math.max(bytes, 1_048_576) },
  });
  await client.process.wait({
    ids: [id],
    for: { kind: "match", text: lastLine },
    timeoutMs: writingTimeoutMs,
  });
  await awaitTextOnLoad(page, lastLine);
  const look = async (): Promise<number> => (await paintedAt(page)).sinceLoadMs;
  await page.goto(`${origin}/terminals?open=${id}`);
  await look();
  const reloads: number[] = [];
  const restarts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await page.reload();
    reloads.push(await look());
    await home.kill("SIGKILL");
    await home.start();
    await page.reload();
    restarts.push(await look());
  }
  return { reloads, restarts };
}
