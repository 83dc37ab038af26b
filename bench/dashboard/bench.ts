// npm run bench dashboard: a terminal in a real browser, beside wetty and the least page there can be, in the same run.
import { cp, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { ensureDashboard } from "../../scripts/setup/dashboard.mjs";
import { buildPackage } from "../daemon/build-package.ts";
import { pssKiB } from "../daemon/process-facts.ts";
import { makeScratch } from "../keeper/bench.ts";
import { describeMachine } from "../keeper/machine.ts";
import { median, quantile } from "../keeper/statistics.ts";
import { barRow, infoRow, rounds, type Row } from "../keeper/table.ts";
import { benchFirstView } from "./first-view.ts";
import { installPeers } from "./install-peers.ts";
import { benchInterrupt } from "./interrupt.ts";
import { benchRepaint } from "./repaint.ts";
import { TerminalPage } from "./terminal-page.ts";
import { openHoldfast } from "./ways/holdfast.ts";
import { openBare, openWetty } from "./ways/peers.ts";
import type { Way } from "./ways/way.ts";

const builtPages = join(import.meta.dirname, "../../dist/web");
const amounts = {
  full: { roundCount: 5, letters: 200, megabytes: 100 },
  /** For work on the bench itself. */
  quick: { roundCount: 2, letters: 30, megabytes: 10 },
} as const;
// As the tests start it; without the graphics card, so that every page draws its rows as elements.
const browserArguments = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-gpu",
  "--disable-3d-apis",
];
const floodTimeoutMs = 180_000;
const bytesPerMegabyte = 1_000_000;

interface Result {
  readonly echoP50Ms: number;
  readonly echoP99Ms: number;
  readonly floodMs: number;
  readonly serverMiB: number;
  readonly pageMB: number;
}

type Results = Map<string, Result[]>;

export async function benchDashboard({ isQuick }: { readonly isQuick: boolean }): Promise<readonly Row[]> {
  const scratch = makeScratch();
  const amount = amounts[isQuick ? "quick" : "full"];
  const results: Results = new Map();
  const ours: Row[] = [];
  await ensureDashboard();
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: browserArguments });
  try {
    const { daemonProgram } = await buildPackage(scratch);
    await cp(builtPages, join(daemonProgram, "../../web"), { recursive: true });
    const hasPeers = installPeers();
    console.log(`${describeMachine(scratch)}\nChromium ${browser.version()}\n`);
    const openers = [
      () => openHoldfast(scratch, daemonProgram),
      ...(hasPeers ? [() => openWetty(18_831), () => openBare(18_832)] : []),
    ];
    for (let round = 0; round < amount.roundCount; round++) {
      console.error(`round ${round + 1} of ${amount.roundCount} … (load ${loadavg()[0]?.toFixed(1)})`);
      // Who comes first moves on: a machine that grows slower does so for all.
      const order = openers.map((_, index) => openers[(index + round) % openers.length]);
      for (const open of order) if (open !== undefined) await measure(results, browser, open, amount);
    }
    const { roundCount } = amount;
    ours.push(
      ...(await benchFirstView(browser, { scratch, daemonProgram, roundCount })),
      ...(await benchInterrupt({ browser, scratch, daemonProgram, isQuick })),
      ...(await benchRepaint({ browser, scratch, daemonProgram, isQuick })),
    );
  } finally {
    await browser.close();
    await rm(scratch, { recursive: true, force: true });
  }
  return [...rowsOf(results, amount.megabytes), ...ours];
}

interface Amount {
  readonly letters: number;
  readonly megabytes: number;
}

async function measure(
  results: Results,
  browser: Browser,
  open: () => Promise<Way>,
  { letters, megabytes }: Amount,
): Promise<void> {
  const way = await open();
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
  try {
    const page = await context.newPage();
    const terminal = await TerminalPage.prepare(page);
    await way.open(page);
    await terminal.focus();
    await terminal.typeLetters(10);
    const echo = await terminal.typeLetters(letters);
    const bytes = megabytes * bytesPerMegabyte;
    // The mark is computed, so that the command itself does not show it.
    const flood = `head -c ${bytes} /dev/zero | tr '\\0' x | fold -w 79; echo END$((40+2))`;
    const floodMs = await terminal.run(flood, "END42", floodTimeoutMs);
    const result: Result = {
      echoP50Ms: median(echo),
      echoP99Ms: quantile(echo, 0.99),
      floodMs,
      serverMiB: pssKiB(way.serverPids()) / 1024,
      pageMB: (await terminal.heapBytes()) / bytesPerMegabyte,
    };
    results.set(way.name, [...(results.get(way.name) ?? []), result]);
  } finally {
    await context.close();
    await way.close();
  }
}

function rowsOf(results: Results, megabytes: number): readonly Row[] {
  const others = [...results.keys()].filter((name) => name !== "Holdfast");
  const medianOf = (name: string, part: keyof Result): number =>
    median((results.get(name) ?? []).map((result) => result[part]));
  const shown = (name: string, part: keyof Result, unit: string): string =>
    rounds(
      (results.get(name) ?? []).map((result) => result[part]),
      unit,
      1,
    );
  const beside = (part: keyof Result, unit: string): string =>
    others.map((name) => `${shown(name, part, unit)} ${name}`).join(", ");
  const row = (work: string, part: keyof Result, unit: string): Row => {
    const [better = ""] = others.toSorted((one, other) => medianOf(one, part) - medianOf(other, part));
    const ours = medianOf("Holdfast", part);
    // What it takes itself differs from round to round: slower is what is slower than all of them.
    const slowestRound = Math.max(...(results.get(better) ?? []).map((result) => result[part]));
    return barRow({
      work,
      ours: shown("Holdfast", part, unit),
      other: beside(part, unit),
      ratio: `${(ours / medianOf(better, part)).toFixed(2)}x the better`,
      bar: "not slower than its rounds",
      holds: ours <= slowestRound,
    });
  };
  return [
    row("key down to the painted echo, p50", "echoP50Ms", "ms"),
    row("key down to the painted echo, p99", "echoP99Ms", "ms"),
    row(`${megabytes} MB of output until its last line is on the screen`, "floodMs", "ms"),
    infoRow(
      "memory (PSS) of the server then",
      shown("Holdfast", "serverMiB", "MiB"),
      beside("serverMiB", "MiB"),
    ),
    infoRow("memory of the page's scripts then", shown("Holdfast", "pageMB", "MB"), beside("pageMB", "MB")),
  ];
}
