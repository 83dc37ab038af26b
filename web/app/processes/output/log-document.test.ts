import { expect, test } from "vitest";
import { HoldfastError } from "#protocol/errors.ts";
import { LogDocument, type LogState } from "~/processes/output/log-document.ts";
import { LogBytes, pageBytes, type LogPart } from "~/processes/output/log-lines.ts";
import { spanAt, spansOf } from "~/processes/output/log-spans.ts";
import type { KeptRange, LogSource } from "~/processes/output/read-log.ts";

/** A log in memory that can be read, can grow and can lose its beginning. */
class MemoryLog implements LogSource {
  bytes: Uint8Array;
  kept: KeptRange[];
  reads = 0;

  constructor(text: string) {
    this.bytes = new TextEncoder().encode(text);
    this.kept = [{ from: 0, to: this.bytes.length }];
  }

  grow(text: string): LogPart {
    const offset = this.bytes.length;
    this.bytes = new TextEncoder().encode(new TextDecoder().decode(this.bytes) + text);
    this.kept = this.kept.map((range, index, all) =>
      index === all.length - 1 ? { ...range, to: this.bytes.length } : range,
    );
    return { offset, atMs: 0, stream: "stdout", bytes: this.bytes.subarray(offset) };
  }

  extent() {
    return Promise.resolve({ end: this.bytes.length, kept: this.kept });
  }

  tail(bytes: number) {
    if (this.bytes.length === 0) return Promise.resolve({ end: 0, kept: [], parts: [] });
    return this.read(Math.max(this.kept.at(-1)?.from ?? 0, this.bytes.length - bytes), this.bytes.length);
  }

  read(from: number, to: number) {
    this.reads += 1;
    const range = this.kept.find((each) => each.from <= from && from < each.to);
    if (range === undefined) return Promise.reject(new HoldfastError("OUTPUT_TRIMMED", "gone"));
    const bytes = this.bytes.subarray(from, Math.min(to, range.to));
    const parts: LogPart[] = [{ offset: from, atMs: 0, stream: "stdout", bytes }];
    return Promise.resolve({ end: this.bytes.length, kept: this.kept, parts });
  }
}

async function opened(log: MemoryLog): Promise<LogDocument> {
  const document = new LogDocument(log);
  await document.refresh();
  return document;
}

/** Resolves when the state is as wanted. */
async function until(document: LogDocument, isReached: (state: LogState) => boolean): Promise<LogState> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => (isReached(document.state.get()) ? resolve() : undefined);
  const stop = document.state.subscribe(look);
  look();
  await promise;
  stop();
  return document.state.get();
}

function textOf(state: LogState): string {
  return state.spans
    .flatMap(({ from }) => state.pages.get(from)?.lines ?? [])
    .map(({ text }) => `${text}\n`)
    .join("");
}

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join("");

test("any page can be read alone: the last of a long log costs one read", async () => {
  const log = new MemoryLog(numbered(0, 200_000));
  const document = await opened(log);
  const last = document.state.get().spans.at(-1)?.from ?? 0;
  document.want([last]);
  const { pages } = await until(document, (state) => state.pages.has(last));
  expect(pages.get(last)?.lines.at(-1)?.text).toBe("line 199999");
  expect([log.reads, pages.size]).toEqual([1, 1]);
});

test("what is appended while one follows is what would have been read", async () => {
  const log = new MemoryLog(numbered(0, 10));
  const document = await opened(log);
  document.want([0]);
  await until(document, (state) => state.pages.has(0));
  let text = "";
  for (let step = 0; step < 60; step += 1) {
    const more = step % 7 === 0 ? "no end yet " : numbered(step * 300, step * 300 + 300);
    text += more;
    document.append([log.grow(more)]);
  }
  expect(textOf(document.state.get())).toBe(`${numbered(0, 10)}${text}`);
  expect(log.reads).toBe(1);
  const again = await opened(log);
  again.want(again.state.get().spans.map(({ from }) => from));
  const whole = await until(again, ({ pages, spans }) => pages.size === spans.length);
  expect(textOf(whole)).toBe(textOf(document.state.get()));
});

test("the newest page is there with one question, also when the log moves on meanwhile", async () => {
  const log = new MemoryLog(numbered(0, 50_000));
  const document = await opened(log);
  const to = await document.readTail();
  expect(to).toBe(log.bytes.length);
  expect(log.reads).toBe(1);
  const { spans, pages } = document.state.get();
  expect(pages.get(spans.at(-1)?.from ?? -1)?.lines.at(-1)?.text).toBe("line 49999");
  const more = log.grow("and on\n");
  document.append([more]);
  expect(
    document.state
      .get()
      .pages.get(spans.at(-1)?.from ?? -1)
      ?.lines.at(-1)?.text,
  ).toBe("and on");
  const empty = await opened(new MemoryLog(""));
  expect(await empty.readTail()).toBe(0);
});

test("a follower that has not read the end learns that it grew, and reads it when it is wanted", async () => {
  const log = new MemoryLog(numbered(0, 50_000));
  const document = await opened(log);
  const before = document.state.get().spans.length;
  document.append([log.grow(numbered(0, 30_000))]);
  const { spans, pages, end } = document.state.get();
  expect(spans.length).toBeGreaterThan(before);
  expect(end).toBe(log.bytes.length);
  const last = spans.at(-1)?.from ?? 0;
  document.want([last]);
  await until(document, (state) => (state.pages.get(last)?.log.to ?? 0) === end);
  expect(pages.get(0)).toBeUndefined();
});

test("colours go on into the next page, whichever of the two was read first", async () => {
  const log = new MemoryLog(`\u001b[31m${"red\n".repeat(pageBytes / 2)}`);
  const document = await opened(log);
  document.want([pageBytes]);
  const alone = await until(document, (state) => state.pages.has(pageBytes));
  expect(alone.pages.get(pageBytes)?.styles[0]).toEqual({});
  document.want([0, pageBytes]);
  const both = await until(document, (state) => state.pages.has(0));
  expect(both.pages.get(pageBytes)?.styles[0]).toEqual({ foreground: 1 });
});

test("what was dropped is a gap; a page that goes while one looks at it is no error", async () => {
  const log = new MemoryLog(numbered(0, 100_000));
  const document = await opened(log);
  log.kept = [
    { from: 0, to: 1_000 },
    { from: 500_000, to: log.bytes.length },
  ];
  document.want([3 * pageBytes]);
  const { spans, error } = await until(document, (state) => state.spans.some(({ kind }) => kind === "gap"));
  expect(error).toBeUndefined();
  expect(spans.slice(0, 3)).toMatchObject([
    { kind: "page", from: 0, to: 1_000 },
    { kind: "gap", from: 1_000, to: 500_000 },
    { kind: "page", from: 500_000, isFirst: true },
  ]);
  document.want([500_000]);
  const read = await until(document, (state) => state.pages.has(500_000));
  expect(read.pages.get(500_000)?.lines[0]?.offset).toBe(500_000);
});

test("a page that is closed and opened again at once shows no error of the first time", async () => {
  const log = new MemoryLog("");
  const first = Promise.withResolvers<never>();
  const extents = [first.promise, log.extent()];
  log.extent = () => extents.shift() ?? Promise.reject(new Error("asked too often"));
  const document = new LogDocument(log);
  document.open()();
  const close = document.open();
  await until(document, ({ isOpen }) => isOpen);
  first.reject(new DOMException("signal is aborted without reason", "AbortError"));
  await first.promise.catch(() => undefined);
  expect(document.state.get().error).toBeUndefined();
  close();
});

test("memory is bounded", async () => {
  const document = await opened(new MemoryLog(`${"x".repeat(999)}\n`.repeat(5_000)));
  for (const { from } of document.state.get().spans) {
    document.want([from]);
    await until(document, (state) => state.pages.has(from));
  }
  expect(document.state.get().spans.length).toBeGreaterThan(70);
  expect(document.state.get().pages.size).toBe(48);
});

test("an offset is found in the span that holds it, or in the next one", () => {
  const spans = spansOf([
    { from: 0, to: 10 },
    { from: 20, to: pageBytes + 5 },
  ]);
  expect(spans.map(({ kind, from, to }) => [kind, from, to])).toEqual([
    ["page", 0, 10],
    ["gap", 10, 20],
    ["page", 20, pageBytes],
    ["page", pageBytes, pageBytes + 5],
  ]);
  expect([0, 9, 10, 25, pageBytes, 999_999].map((offset) => spanAt(spans, offset))).toEqual([
    0, 0, 1, 2, 3, 3,
  ]);
  expect(spanAt([], 5)).toBe(-1);
  expect(new LogBytes(5, []).to).toBe(5);
});
