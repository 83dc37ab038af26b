// npm run bench redaction: how fast secrets are hidden, beside decoding and copying the same bytes. On one core, in the
// thread's own processor time, so that other work on the machine does not count.
import { tmpdir } from "node:os";
import { redactText, StreamRedactor } from "../../src/redaction/index.ts";
import { describeMachine } from "../keeper/machine.ts";
import { median } from "../keeper/statistics.ts";
import { barRow, infoRow, rounds, type Row } from "../keeper/table.ts";
import { colouredHistory, hostileText, secretLog, sources, type Corpus } from "./corpus.ts";

const pieceBytes = 65_536;
const leastRate = 100;
/** The system counts processor time in steps of milliseconds. */
const leastBytes = 48_000_000;

type Work = (bytes: Buffer) => number;

const redact: Work = (bytes) => {
  const stream = new StreamRedactor();
  let length = 0;
  for (let at = 0; at < bytes.length; at += pieceBytes)
    length += stream.push(bytes.subarray(at, at + pieceBytes)).length;
  return length + stream.end().length;
};

const decode: Work = (bytes) => {
  const decoder = new TextDecoder();
  let length = 0;
  for (let at = 0; at < bytes.length; at += pieceBytes)
    length += decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: true }).length;
  return length;
};

const copy: Work = (bytes) => {
  let length = 0;
  for (let at = 0; at < bytes.length; at += pieceBytes)
    length += Buffer.copyBytesFrom(bytes.subarray(at, at + pieceBytes)).length;
  return length;
};

export function benchRedaction({ isQuick }: { readonly isQuick: boolean }): Promise<readonly Row[]> {
  console.log(`${describeMachine(tmpdir())}\n`);
  const firstUseMs = timeOf(() => redactText("").count) / 1_000;
  const roundCount = isQuick ? 2 : 5;
  const rows = [rateRow(sources(), roundCount, true)];
  const history = colouredHistory();
  for (const corpus of [history, secretLog(), hostileText()])
    if (corpus !== undefined) rows.push(rateRow(corpus, roundCount, false));
  rows.push(growthRow(roundCount), commandRow(roundCount));
  rows.push(infoRow("first use in a process", `${firstUseMs.toFixed(1)} ms`));
  return Promise.resolve(rows);
}

/** Processor time of this thread, in microseconds. */
function timeOf(work: () => number): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** Megabytes a second, one for each round; a round before them warms up. A short text is taken several times. */
function ratesOf(bytes: Buffer, work: Work, roundCount: number): number[] {
  const repeats = Math.ceil(leastBytes / bytes.length);
  const repeated = (): number => {
    let length = 0;
    for (let count = 0; count < repeats; count++) length += work(bytes);
    return length;
  };
  repeated();
  return Array.from({ length: roundCount }, () => (repeats * bytes.length) / timeOf(repeated));
}

function rateRow({ name, bytes }: Corpus, roundCount: number, hasBar: boolean): Row {
  console.error(`measuring ${name} …`);
  const [ours, decoded, copied] = [redact, decode, copy].map((work) => ratesOf(bytes, work, roundCount)) as [
    number[],
    number[],
    number[],
  ];
  const row = {
    work: `${(bytes.length / 1e6).toFixed(1)} MB: ${name}, ${countOf(bytes)} secrets`,
    ours: rounds(ours, "MB/s", 0),
    other: `${rounds(decoded, "MB/s", 0)} decoding, ${rounds(copied, "MB/s", 0)} copying`,
    ratio: `${(median(decoded) / median(ours)).toFixed(1)}x the time of decoding`,
  };
  if (!hasBar) return infoRow(row.work, row.ours, row.other, row.ratio);
  return barRow({ ...row, bar: `at least ${leastRate} MB/s`, holds: median(ours) >= leastRate });
}

function countOf(bytes: Buffer): number {
  const stream = new StreamRedactor();
  for (let at = 0; at < bytes.length; at += pieceBytes) stream.push(bytes.subarray(at, at + pieceBytes));
  stream.end();
  return stream.count;
}

/** Time is linear when a byte costs as much in a text as in one four times as long. */
function growthRow(roundCount: number): Row {
  const { bytes } = secretLog();
  const [quarter, whole] = [bytes.subarray(0, bytes.length / 4), bytes].map((part) =>
    ratesOf(part, wholeText, roundCount),
  ) as [number[], number[]];
  return infoRow(
    "the same log as one text, a quarter of it and all of it",
    `${rounds(whole, "MB/s", 0)} all`,
    `${rounds(quarter, "MB/s", 0)} a quarter`,
    `${(median(quarter) / median(whole)).toFixed(2)}x the time a byte`,
  );
}

const wholeText: Work = (bytes) => redactText(bytes.toString()).text.length;

/** As a list has them. */
function commandRow(roundCount: number): Row {
  const commands = Array.from(
    { length: 10_000 },
    (_none, index) => `/usr/bin/node --port=${index} ./server/main.mjs --verbose`,
  );
  const work = (): number => commands.reduce((sum, command) => sum + redactText(command).text.length, 0);
  work();
  const times = Array.from({ length: roundCount }, () => timeOf(work) / commands.length);
  return infoRow("a command of 55 characters", rounds(times, "µs", 2));
}
