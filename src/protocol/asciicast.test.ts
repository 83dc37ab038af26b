import { expect, test } from "vitest";
import { AsciicastWriter } from "./asciicast.ts";
import type { ProcessView } from "./process.ts";

const startedAt = "2026-01-02T03:04:05.000Z";
const beganMs = Date.parse(startedAt);

function viewOf(change: Partial<ProcessView> = {}): ProcessView {
  const view = { command: "top", name: null, startedAt, createdAt: startedAt, exit: null, endedAt: null };
  return { ...view, ...change } as ProcessView; // what a recording reads of it
}

const data = (atMs: number, bytes: Uint8Array) =>
  ({ kind: "data", offset: 0, stream: "stdout", at: beganMs + atMs, bytes }) as const;
const text = (written: string) => new TextEncoder().encode(written);

function linesOf(written: string): unknown[] {
  return written
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

test("a recording has its size in the header, its times between events, and how it ended", () => {
  const exit = { kind: "signaled", signal: "SIGTERM", signalNumber: 15, coreDumped: false } as const;
  const writer = new AsciicastWriter(viewOf({ name: "web", exit, endedAt: "2026-01-02T03:04:08.000Z" }));
  const written = [
    writer.write({ kind: "resized", offset: 0, columns: 100, rows: 30 }),
    writer.write(data(500, text("one\r\n"))),
    writer.write({ kind: "resized", offset: 5, columns: 120, rows: 40 }),
    writer.write(data(1_250, text("\u001B[31m"))),
    writer.end(),
  ].join("");
  expect(linesOf(written)).toEqual([
    {
      version: 3,
      term: { cols: 100, rows: 30, type: "xterm-256color" },
      timestamp: beganMs / 1000,
      command: "top",
      title: "web",
    },
    [0.5, "o", "one\r\n"],
    [0, "r", "120x40"],
    [0.75, "o", "\u001B[31m"],
    [1.75, "x", "143"],
  ]);
});

test("a character that came in two parts is written once, whole; half a one at the end is replaced", () => {
  const bytes = text("é🙂");
  const writer = new AsciicastWriter(viewOf());
  const written = [...bytes].map((byte, index) => writer.write(data(index, Uint8Array.of(byte))));
  written.push(writer.write(data(9, bytes.subarray(0, 1))), writer.end());
  const texts = linesOf(written.join("")).slice(1) as [number, string, string][];
  expect(texts.map(([, , part]) => part)).toEqual(["é", "🙂", "\uFFFD"]);
});

test("times that go back count as no time at all, and rounding does not add up", () => {
  const writer = new AsciicastWriter(viewOf());
  const written = [10.4, 5, 20.8, 31.2].map((atMs) => writer.write(data(atMs, text("x"))));
  const events = linesOf(written.join("") + writer.end()).slice(1) as [number, string, string][];
  expect(events.map(([interval]) => interval)).toEqual([0.01, 0, 0.011, 0.01]);
});

test("a process that wrote nothing gives a recording with a header", () => {
  expect(linesOf(new AsciicastWriter(viewOf()).end())).toMatchObject([{ version: 3 }]);
});

test("what was not kept is a marker", () => {
  const writer = new AsciicastWriter(viewOf());
  const written = writer.write({ kind: "missing", from: 10, to: 30, why: "dropped" });
  expect(linesOf(written)[1]).toEqual([0, "m", "20 bytes were not kept"]);
});
