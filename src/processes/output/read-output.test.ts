import { mkdtempSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { outputInputSchema, type OutputInput, type OutputOutput } from "../../protocol/output.ts";
import { readOutput } from "./read-output.ts";

/** What one stream wrote at once. */
type Written = readonly [stream: "o" | "e", data: string | Uint8Array];
type Segment = readonly [offset: number, ...written: Written[]];

const pad = (number: number, width: number): string => String(number).padStart(width, "0");

function newRun(...segments: readonly Segment[]): string {
  const directory = mkdtempSync(join(homedir(), "run-"));
  for (const [first, ...written] of segments) {
    let offset = first;
    let index = "";
    for (const [stream, data] of written) {
      index += `${stream} ${pad(offset * 1_000, 16)} ${pad(offset, 16)} ${pad(0, 13)}\n`;
      offset += Buffer.from(data).length;
    }
    const bytes = Buffer.concat(written.map(([, data]) => Buffer.from(data)));
    writeFileSync(join(directory, `${pad(first, 16)}.log`), bytes);
    writeFileSync(join(directory, `${pad(first, 16)}.idx`), index);
  }
  return directory;
}

type Question = Partial<OutputInput>;

async function read(directory: string, question: Question = {}, isClosed = true): Promise<OutputOutput> {
  const input = outputInputSchema.parse({ id: "p_1234", format: "text", ...question });
  const state = isClosed ? "ended" : "running";
  return await readOutput({ id: "p_1234", directory, state, startedAtMs: 0, isClosed }, input);
}

/** Page by page, with no more pages than there are bytes. */
async function readAll(directory: string, question: Question): Promise<string[]> {
  const texts: string[] = [];
  let from = 0;
  for (let complete = false; !complete;) {
    const page = await read(directory, { ...question, from });
    expect(page.next, `after ${JSON.stringify(texts)}`).toBeGreaterThan(from);
    texts.push(page.text ?? "");
    ({ next: from, complete } = page);
  }
  return texts;
}

const red = "\u001b[31mred\n";

describe("a cut never splits a character or an escape", () => {
  test("of a sequence that was written in two parts", async () => {
    const run = newRun([0, ["o", "\u001b[3"], ["o", "1mred\n"]]);
    expect(await read(run, { limitBytes: 4 })).toMatchObject({ text: "\u001b[31m", next: 5 });
    expect(await readAll(run, { limitBytes: 2 })).toEqual(["\u001b[31m", "re", "d\n"]);
  });

  test("at the beginning of a tail", async () => {
    const run = newRun([0, ["o", `aéé${red}`]]);
    const tails = [];
    for (let tailBytes = 14; tailBytes > 0; tailBytes -= 1) tails.push((await read(run, { tailBytes })).text);
    const whole = ["red\n", "ed\n", "d\n", "\n"];
    expect(tails).toEqual([
      `aéé${red}`,
      `éé${red}`,
      `é${red}`,
      `é${red}`,
      red,
      red,
      ...Array<string>(4).fill("red\n"),
      ...whole,
    ]);
    const { text } = await read(run, { head: 2, tail: 8 });
    expect(text).toBe("a\n[… 9 bytes left out: offsets 1 to 10 …]\nred\n");
  });

  test("of pieces", async () => {
    const snow = Buffer.from("☃");
    const run = newRun([
      0,
      ["o", "\u001b[3"],
      ["e", "x\n"],
      ["o", Buffer.concat([Buffer.from("1mred\n"), snow.subarray(0, 1)])],
      ["o", snow.subarray(1, 2)],
      ["o", Buffer.concat([snow.subarray(2), Buffer.from("!")])],
    ]);
    const { pieces = [] } = await read(run, { pieces: true });
    expect(pieces.map(({ offset, stream, text }) => [offset, stream, text])).toEqual([
      [0, "stdout", "\u001b[31m"],
      [3, "stderr", "x\n"],
      [7, "stdout", "red\n☃"],
      [14, "stdout", "!"],
    ]);
    const plain = await read(run, { pieces: true, format: "plain" });
    expect(plain.pieces?.map(({ text }) => text)).toEqual(["", "x\n", "red\n☃", "!"]);
    expect((await read(run)).text).toBe("\u001b[31mx\nred\n☃!");
  });

  test("at the end of what a running process wrote so far", async () => {
    const run = newRun([0, ["o", Buffer.from([0x61, 0xc3])]]);
    expect(await read(run, {}, false)).toMatchObject({ text: "a", next: 1, end: 2, complete: false });
    expect(await read(run, { from: 1 }, false)).toMatchObject({ text: "", next: 1, complete: false });
    expect(await read(run, { format: "raw" }, false)).toMatchObject({ next: 2 });
    expect(await read(run)).toMatchObject({ text: "a\ufffd", next: 2, complete: true });
    const both = newRun([0, ["o", Buffer.from([0x61, 0xc3])], ["e", "error\n"]]);
    expect(await read(both, {}, false)).toMatchObject({ text: "a\ufffderror\n", next: 8 });
    expect(await read(both, { stream: "stdout" }, false)).toMatchObject({ text: "a", next: 1 });
  });

  test("and a reader still gets on, however long a sequence is", async () => {
    const title = `\u001b]0;${"x".repeat(6_000)}\u0007`;
    const run = newRun([0, ["o", `a${title}b\n`]]);
    expect(await read(run, { from: 1, limitBytes: 4_096 })).toMatchObject({ text: title });
    expect(await readAll(run, { limitBytes: 4_096 })).toEqual(["a", title, "b\n"]);
    const endless = newRun([0, ["o", `\u001b]0;${"x".repeat(20_000)}`]]);
    expect((await readAll(endless, { limitBytes: 100 })).join("")).toHaveLength(20_004);
  });
});

describe("the last lines", () => {
  test("are those of the stream asked for", async () => {
    const run = newRun([0, ["e", "bang\n"], ["e", "boom\n"], ["o", "bye\n"]]);
    expect((await read(run, { tailLines: 1, stream: "stderr" })).text).toBe("boom\n");
    expect((await read(run, { tailLines: 2, stream: "stderr" })).text).toBe("bang\nboom\n");
    expect((await read(run, { tailLines: 1, stream: "stdout" })).text).toBe("bye\n");
    expect((await read(run, { tailLines: 2 })).text).toBe("boom\nbye\n");
    const unfinished = newRun([0, ["e", "one\ntwo"], ["o", "bye\n"]]);
    expect((await read(unfinished, { tailLines: 1, stream: "stderr" })).text).toBe("two");
  });
});

describe("output of which a part was dropped", () => {
  const trimmed = newRun([0, ["o", "head 1\nhead 2\n"]], [100, ["o", "tail 1\ntail 2\n"]]);
  const headless = newRun([0], [100, ["o", "tail 1\ntail 2\n"]]);
  const dropped = { from: 14, to: 100 };

  test("has a head and a tail that do not meet", async () => {
    const told = await read(trimmed, { head: 60, tail: 60 });
    expect(told).toMatchObject({ from: 0, next: 114, complete: true, omitted: [dropped] });
    expect(told.text).toBe("head 1\nhead 2\n\n[… 86 bytes left out: offsets 14 to 100 …]\ntail 1\ntail 2\n");
    expect((await read(trimmed, { head: 7, tail: 7 })).text).toBe(
      "head 1\n\n[… 100 bytes left out: offsets 7 to 107 …]\ntail 2\n",
    );
    expect(await read(trimmed, { head: 7, tail: 7, from: 100 })).toMatchObject({
      text: "tail 1\ntail 2\n",
      omitted: [],
    });
  });

  test("is paged backwards by bytes and lines, over the hole too", async () => {
    expect(await read(trimmed, { tailBytes: 7, before: 14 })).toMatchObject({
      text: "head 2\n",
      from: 7,
      next: 14,
    });
    const over = { text: "head 2\n", from: 7, next: 100, omitted: [dropped] };
    expect(await read(trimmed, { tailBytes: 7, before: 100 })).toMatchObject(over);
    expect(await read(trimmed, { tailLines: 1, before: 100 })).toMatchObject(over);
    expect(await read(trimmed, { tailBytes: 7, before: 50 })).toMatchObject({ text: "head 2\n", next: 50 });
  });

  test("is paged forwards over the hole wherever a page ends", async () => {
    for (let limitBytes = 1; limitBytes < 30; limitBytes += 1)
      expect((await readAll(trimmed, { limitBytes })).join("")).toBe("head 1\nhead 2\ntail 1\ntail 2\n");
  });

  test("begins with what is kept unless a place is named", async () => {
    expect(await read(headless)).toMatchObject({ text: "tail 1\ntail 2\n", from: 100, complete: true });
    expect((await read(headless, { head: 7, tail: 6 })).text).toMatch(/^tail 1\n\n\[… .* …\]\n/);
    expect((await read(headless, { tailLines: 9 })).from).toBe(100);
    for (const place of [{ from: 0 }, { from: 99 }, { line: 1 }, { line: 2 }, { tailBytes: 1, before: 50 }])
      await expect(read(headless, place)).rejects.toMatchObject({
        code: "OUTPUT_TRIMMED",
        message: expect.stringContaining("100") as string,
        details: { firstOffset: 100 },
      });
  });
});
