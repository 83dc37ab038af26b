import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OutputEvent } from "../../keeper/index.ts";
import { plainText } from "../output/plain-text.ts";
import { OutputScan } from "./output-scan.ts";
import { resumeAt, scanFrom, type ScanState } from "./scan-state.ts";
import { scanStateSchema } from "./standing.ts";
import type { LineWatch, StreamName } from "./stream-scan.ts";

interface Written {
  readonly stream: StreamName;
  readonly bytes: Buffer;
}

interface Found {
  readonly offset: number;
  readonly line: string;
  readonly watches: readonly string[];
}

function watch(id: string, regex: string, more: Partial<LineWatch> = {}): LineWatch {
  return { id, pattern: { regex }, stream: "both", from: 0, ...more };
}

/** The events of a log from an offset on, in chunks of at most `chunkBytes`. */
function eventsFrom(log: readonly Written[], from: number, chunkBytes: number): OutputEvent[] {
  const events: OutputEvent[] = [];
  let offset = 0;
  for (const { stream, bytes } of log) {
    const begin = offset;
    offset += bytes.length;
    if (offset <= from) continue;
    events.push({ kind: "mark", mark: stream, timeUs: begin, offset: Math.max(begin, from), value: 0 });
    for (let at = Math.max(0, from - begin); at < bytes.length; at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes);
      events.push({ kind: "data", offset: begin + at, bytes: Buffer.from(chunk) });
    }
  }
  return events;
}

function scanAll(log: readonly Written[], watches: readonly LineWatch[], chunkBytes = 65_536): Found[] {
  const found: Found[] = [];
  const scan = newScan(scanFrom(0), watches, found);
  for (const event of eventsFrom(log, 0, chunkBytes)) scan.take(event);
  scan.end();
  return found;
}

function newScan(state: ScanState, lines: readonly LineWatch[], found: Found[], until?: number): OutputScan {
  return new OutputScan(
    { lines, rates: [], state, until: until ?? null },
    { onMatch: (match) => found.push(match), onGap: () => undefined },
  );
}

/** What a reader with all the time in the world would find. */
function expectedHits(log: readonly Written[], watches: readonly LineWatch[]): string[] {
  return (["stdout", "stderr"] as const).flatMap((stream) => {
    const text = Buffer.concat(
      log.filter((part) => part.stream === stream).map((part) => part.bytes),
    ).toString();
    return text
      .split("\n")
      .map((line) => plainText(line))
      .flatMap((line) => watches.filter((one) => isMatch(one, line)).map(({ id }) => `${id} ${line}`));
  });
}

function isMatch({ pattern }: LineWatch, line: string): boolean {
  return line !== "" && "regex" in pattern && new RegExp(pattern.regex, "u").test(line);
}

function hitsIn(found: readonly Found[]): string[] {
  return found.flatMap(({ line, watches }) => watches.map((id) => `${id} ${line}`));
}

test("a pattern split at every byte is found, characters of several bytes and escapes inside included", () => {
  const text =
    "vorher\n\u001b[1mFehler\u001b[0m: 3 \u20ac \u001b]0;Titel\u0007für \u{1f600} größer\r\nnachher";
  const bytes = Buffer.from(text);
  const watches = [watch("w", "^Fehler: 3 \u20ac für \u{1f600} größer$"), watch("v", "nach")];
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second++) {
      const parts = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      const log = parts.map((part) => ({ stream: "stdout" as const, bytes: part }));
      expect(hitsIn(scanAll(log, watches)), `split at ${first} and ${second}`).toEqual([
        "w Fehler: 3 \u20ac für \u{1f600} größer",
        "v nachher",
      ]);
    }
  }
});

const piece = fc.constantFrom(
  "error",
  "err",
  "or 42",
  "\n",
  "\n",
  "\r\n",
  " ",
  "\u001b[31m",
  "\u001b[0m",
  "€",
  "\u{1f600}",
  "10%\r100%",
  "ok",
);
const logs = fc.array(
  fc
    .record({ stream: fc.constantFrom<StreamName>("stdout", "stderr"), bytes: fc.array(piece) })
    .map((part) => ({
      stream: part.stream,
      bytes: Buffer.from(part.bytes.join("")),
    })),
);
const watches = [watch("a", "error"), watch("b", "\\d+%?$"), watch("c", "^ok|€")];

test("whatever the chunks and the streams between them, every line counts once for each watch", () => {
  fc.assert(
    fc.property(logs, fc.integer({ min: 1, max: 20 }), (log, chunkBytes) => {
      expect(hitsIn(scanAll(log, watches, chunkBytes)).toSorted()).toEqual(
        expectedHits(log, watches).toSorted(),
      );
    }),
  );
});

test("broken off anywhere, any number of times, it goes on without losing or repeating a match", () => {
  fc.assert(
    fc.property(logs, fc.array(fc.integer({ min: 1, max: 12 })), (log, breaks) => {
      const found: Found[] = [];
      let state = scanFrom(0);
      for (const steps of [...breaks, Infinity]) {
        const scan = newScan(state, watches, found);
        for (const event of eventsFrom(log, resumeAt(state), 3).slice(0, steps)) scan.take(event);
        if (steps === Infinity) scan.end();
        // As the store keeps it: what does not come through JSON is lost in a kill.
        state = scanStateSchema.parse(JSON.parse(JSON.stringify(scan.state)));
      }
      expect(hitsIn(found).toSorted()).toEqual(expectedHits(log, watches).toSorted());
    }),
  );
});

test("a prompt is looked at before its line ends, and the line counts once, through a kill in between too", () => {
  fc.assert(
    fc.property(logs, fc.array(fc.integer({ min: 1, max: 12 })), (log, breaks) => {
      const found: Found[] = [];
      let state = scanFrom(0);
      for (const steps of [...breaks, Infinity]) {
        const scan = newScan(state, watches, found);
        for (const event of eventsFrom(log, resumeAt(state), 3).slice(0, steps)) {
          scan.take(event);
          scan.look();
        }
        if (steps === Infinity) scan.end();
        state = scanStateSchema.parse(JSON.parse(JSON.stringify(scan.state)));
      }
      const places = found.flatMap(({ offset, watches: ids }) => ids.map((id) => `${id} ${offset}`));
      expect(new Set(places).size, "no line twice for a watch").toBe(places.length);
      // A line may have matched when it was half written; none that matches in the end may be missing.
      expect(places.length).toBeGreaterThanOrEqual(expectedHits(log, watches).length);
    }),
  );
});

test("a prompt that was counted before a kill is not counted again when its whole line comes in one chunk", () => {
  const log: Written[] = [{ stream: "stdout", bytes: Buffer.from("before\nok go on\nok\n") }];
  const found: Found[] = [];
  const first = newScan(scanFrom(0), watches, found);
  first.take({ kind: "data", offset: 0, bytes: Buffer.from("before\nok") });
  first.look();
  const second = newScan(first.state, watches, found);
  for (const event of eventsFrom(log, resumeAt(first.state), 65_536)) second.take(event);
  expect(found.map(({ offset }) => offset)).toEqual([7, 16]);
});

test("two scans with a border between them find together what one finds", () => {
  fc.assert(
    fc.property(logs, fc.nat({ max: 60 }), (log, border) => {
      const found: Found[] = [];
      const early = newScan(scanFrom(0), watches, found, border);
      for (const event of eventsFrom(log, 0, 4)) {
        early.take(event);
        if (early.isPast) break;
      }
      early.end();
      const late = newScan(
        scanFrom(0),
        watches.map((one) => ({ ...one, from: border })),
        found,
      );
      for (const event of eventsFrom(log, 0, 4)) late.take(event);
      late.end();
      expect(hitsIn(found).toSorted()).toEqual(expectedHits(log, watches).toSorted());
    }),
  );
});

test("a stream that is not watched does not match, and does not break the line of the other", () => {
  const log: Written[] = [
    { stream: "stdout", bytes: Buffer.from("rea") },
    { stream: "stderr", bytes: Buffer.from("ready\n") },
    { stream: "stdout", bytes: Buffer.from("dy\n") },
  ];
  expect(scanAll(log, [watch("w", "ready", { stream: "stdout" })])).toMatchObject([
    { offset: 0, stream: "stdout", line: "ready" },
  ]);
});

test("a line without end is looked at in pieces: a match across a cut is found, none is counted twice", () => {
  const cut = 65_536;
  for (const at of [100, cut - 8_000, cut - 3, cut - 1, cut, cut + 100, 2 * cut]) {
    const text = `${"€".repeat(Math.floor(at / 3))}needle${"x".repeat(2 * cut)}`;
    const log = [{ stream: "stdout" as const, bytes: Buffer.from(text) }];
    expect(scanAll(log, [watch("w", "needle")]), `at ${at}`).toHaveLength(1);
  }
  const many = Buffer.from("needle ".repeat(40_000));
  const found = scanAll([{ stream: "stdout", bytes: many }], [watch("w", "needle")]);
  expect(found.length).toBeGreaterThanOrEqual(4);
  expect(found.length).toBeLessThan(8);
});

test("output that is gone breaks the line; what comes after it is looked at", () => {
  const found: Found[] = [];
  const gaps: unknown[] = [];
  const scan = new OutputScan(
    { lines: [watch("w", "ready")], rates: [], state: scanFrom(0), until: null },
    { onMatch: (match) => found.push(match), onGap: (gap) => gaps.push(gap) },
  );
  scan.take({ kind: "data", offset: 0, bytes: Buffer.from("rea") });
  scan.take({ kind: "missing", from: 3, to: 100, why: "dropped" });
  scan.take({ kind: "data", offset: 100, bytes: Buffer.from("dy\nready\n") });
  expect(found).toMatchObject([{ offset: 103 }]);
  expect(gaps).toEqual([{ from: 3, to: 100 }]);
  expect(resumeAt(scan.state)).toBe(109);
});
