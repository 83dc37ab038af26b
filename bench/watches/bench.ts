// npm run bench watches: what it costs to look through a megabyte of output for 1, 10 and 100 watches, beside asking each
// pattern of each line.
import { RE2JS } from "re2js";
import { HitRecorder } from "../../src/processes/watch/hit-recorder.ts";
import { OutputScan } from "../../src/processes/watch/output-scan.ts";
import type { Pattern } from "../../src/processes/watch/pattern-set.ts";
import { scanFrom } from "../../src/processes/watch/scan-state.ts";
import { drawnLine } from "../../src/processes/watch/stream-scan.ts";
import { describeMachine } from "../keeper/machine.ts";
import { median } from "../keeper/statistics.ts";
import { barRow, infoRow, rounds, type Row } from "../keeper/table.ts";
import { corpora, type Corpus } from "./corpus.ts";

const chunkBytes = 65_536;
const bytesPerMb = 1_000_000;
// Asking each pattern of each line takes minutes for all of it.
const naiveBytes = 2 * bytesPerMb;

function textPatterns(count: number): Pattern[] {
  return Array.from({ length: count }, (_, number) => ({ text: `connection ${number} refused` }));
}

function regexPatterns(count: number): Pattern[] {
  return Array.from({ length: count }, (_, number) => ({
    regex: `(?i)error[ :].*code=${number}\\b|worker ${number} (died|exited) after \\d+ ?ms`,
  }));
}

/** Of this process since it began: what else the machine does costs nothing of it. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Processor time for a megabyte, and how many lines matched. */
function scanCost(bytes: Buffer, patterns: readonly Pattern[]): { msPerMb: number; hits: number } {
  const found = new HitRecorder({ lines: 20, characters: 2_000, isRedacted: true });
  const scan = new OutputScan(
    {
      lines: patterns.map((pattern, number) => ({ id: `w${number}`, pattern, stream: "both", from: 0 })),
      rates: [],
      state: scanFrom(0),
      until: null,
    },
    { onMatch: (match) => found.add(match), onGap: () => undefined },
  );
  const began = processorMs();
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    scan.take({ kind: "data", offset, bytes: bytes.subarray(offset, offset + chunkBytes) });
  }
  scan.end();
  const msPerMb = (processorMs() - began) / (bytes.length / bytesPerMb);
  return { msPerMb, hits: found.take().hits.reduce((sum, { count }) => sum + count, 0) };
}

/** The same by one search after the other. */
function naiveCost(bytes: Buffer, patterns: readonly Pattern[]): number {
  const compiled = patterns.map((one) => RE2JS.compile("text" in one ? RE2JS.quote(one.text) : one.regex));
  const part = bytes.subarray(0, naiveBytes);
  const began = processorMs();
  for (const written of part.toString().split("\n")) {
    const line = drawnLine(written);
    for (const regex of compiled) regex.matcher(line).find();
  }
  return (processorMs() - began) / (part.length / bytesPerMb);
}

interface Setting {
  readonly corpus: Corpus;
  readonly kind: string;
  readonly count: number;
  readonly patterns: readonly Pattern[];
}

function measure(
  { corpus, kind, count, patterns }: Setting,
  roundCount: number,
): { row: Row; msPerMb: number } {
  scanCost(corpus.bytes, patterns);
  const costs = Array.from({ length: roundCount }, () => scanCost(corpus.bytes, patterns));
  const times = costs.map(({ msPerMb }) => msPerMb);
  const msPerMb = median(times);
  const naive = naiveCost(corpus.bytes, patterns);
  const work = `${count} ${kind} watch${count === 1 ? "" : "es"}, ${corpus.name}, ${costs[0]?.hits ?? 0} matches`;
  const rate = `${(1_000 / msPerMb).toFixed(0)} MB/s`;
  const other = `${naive.toFixed(1)} ms one search after the other`;
  const row = infoRow(
    work,
    `${rounds(times, "ms/MB")}, ${rate}`,
    other,
    `${(naive / msPerMb).toFixed(1)}x cheaper`,
  );
  return { row, msPerMb };
}

export async function benchWatches({ isQuick }: { readonly isQuick: boolean }): Promise<readonly Row[]> {
  console.log(`${describeMachine(process.cwd())}\n`);
  const roundCount = isQuick ? 2 : 5;
  const rows: Row[] = [];
  for (const corpus of corpora(isQuick ? 4 : 16)) {
    for (const [kind, make] of [
      ["text", textPatterns],
      ["regex", regexPatterns],
    ] as const) {
      const costs = [1, 10, 100].map((count) => {
        console.error(`measuring ${count} ${kind} watches on ${corpus.name} …`);
        const { row, msPerMb } = measure({ corpus, kind, count, patterns: make(count) }, roundCount);
        rows.push(row);
        return msPerMb;
      });
      const times = (costs[2] ?? 0) / (costs[0] ?? 1);
      rows.push(
        barRow({
          work: `… 100 beside 1: ${kind}, ${corpus.name}`,
          ours: `${(costs[2] ?? 0).toFixed(2)} ms/MB`,
          other: `${(costs[0] ?? 0).toFixed(2)} ms/MB`,
          ratio: `${times.toFixed(1)}x`,
          bar: "at most 20x",
          holds: times <= 20,
        }),
      );
    }
  }
  return rows;
}
