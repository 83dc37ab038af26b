import { mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findIndexLine, findStreamMark, indexLineBytes, parseIndexLine, readIndex } from "./index-file.ts";
import type { Mark, OutputEvent } from "./output-event.ts";
import { listSegments } from "./segments.ts";
import { readStoredOutput, type StoredOutputOptions } from "./stored-output.ts";

const pad = (number: number, width: number): string => String(number).padStart(width, "0");
const indexLine = (kind: string, timeUs: number, offset: number, value = 0): string => {
  return `${kind} ${pad(timeUs, 16)} ${pad(offset, 16)} ${pad(value, 13)}\n`;
};

function newRun(segments: ReadonlyArray<readonly [offset: number, data: string, index: string]>): string {
  const directory = mkdtempSync(join(homedir(), "run-"));
  for (const [offset, data, index] of segments) {
    writeFileSync(join(directory, `${pad(offset, 16)}.log`), data);
    writeFileSync(join(directory, `${pad(offset, 16)}.idx`), index);
  }
  return directory;
}

async function readAll(directory: string, options: StoredOutputOptions = {}): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of readStoredOutput(directory, options)) seen.push(describeEvent(event));
  return seen;
}

function describeEvent(event: OutputEvent): string {
  if (event.kind === "data") return `${event.offset}:${event.bytes.toString()}`;
  if (event.kind === "mark") return `${event.mark}@${event.offset}=${event.value}`;
  if (event.kind === "missing") return `${event.why} ${event.from}-${event.to}`;
  return `end ${event.nextOffset} ${event.why}`;
}

describe("readStoredOutput", () => {
  const index =
    indexLine("o", 1, 0) +
    indexLine("e", 2, 3) +
    indexLine("r", 3, 5, 80 * 65_536 + 24) +
    indexLine("o", 4, 5);
  const split = newRun([[0, "outerrout", index]]);

  test("gives the bytes from any offset, then the end", async () => {
    expect(await readAll(split)).toEqual(["0:outerrout", "end 9 closed"]);
    expect(await readAll(split, { from: 4 })).toEqual(["4:rrout", "end 9 closed"]);
    expect(await readAll(split, { from: "end" })).toEqual(["end 9 closed"]);
    expect(await readAll(split, { from: 9 })).toEqual(["end 9 closed"]);
  });

  test("with marks, each line comes before the data at its offset, after the one in force", async () => {
    expect(await readAll(split, { marks: true })).toEqual([
      "stdout@0=0",
      "0:out",
      "stderr@3=0",
      "3:er",
      "resized@5=5242904",
      "stdout@5=0",
      "5:rout",
      "end 9 closed",
    ]);
    expect(await readAll(split, { marks: true, from: 4 })).toEqual([
      "stderr@3=0",
      "4:r",
      "resized@5=5242904",
      "stdout@5=0",
      "5:rout",
      "end 9 closed",
    ]);
  });

  test("what was dropped or lost on the way is told; a first byte that is not there is an error", async () => {
    const run = newRun([
      [0, "head", indexLine("o", 1, 0)],
      [10, "tail", indexLine("o", 2, 10)],
      [20, "after", indexLine("g", 3, 20, 4) + indexLine("o", 3, 20)],
    ]);
    expect(await readAll(run)).toEqual([
      "0:head",
      "dropped 4-10",
      "10:tail",
      "dropped 14-16",
      "gap 16-20",
      "20:after",
      "end 25 closed",
    ]);
    await expect(readAll(run, { from: 5 })).rejects.toMatchObject({
      code: "OUTPUT_TRIMMED",
      details: { firstOffset: 10 },
    });
    await expect(readAll(run, { from: 17 })).rejects.toMatchObject({
      code: "OUTPUT_TRIMMED",
      details: { firstOffset: 20 },
    });
    await expect(readAll(run, { from: 26 })).rejects.toMatchObject({
      code: "OUTPUT_TRIMMED",
      details: { firstOffset: 25 },
    });
  });

  test("a disk that was full until the end leaves a gap that the keeper's file knows", async () => {
    const run = newRun([[0, "head", indexLine("o", 1, 0)]]);
    writeFileSync(join(run, "keeper"), `contract 1.0\npid 1\nend 9\n${" ".repeat(100)}\n`);
    expect(await readAll(run)).toEqual(["0:head", "gap 4-9", "end 9 closed"]);
  });

  test("any cut into segments reads as one output", async () => {
    const pieces = fc.array(fc.string({ minLength: 1, maxLength: 8, unit: "grapheme-ascii" }), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(60), async (parts, from) => {
        let offset = 0;
        const run = newRun(
          parts.map((part) => {
            const segment = [offset, part, indexLine("o", 1, offset)] as const;
            offset += part.length;
            return segment;
          }),
        );
        const start = Math.min(from, offset);
        let text = "";
        let isInPlace = true;
        for await (const event of readStoredOutput(run, { from: start, marks: true })) {
          if (event.kind !== "data") continue;
          isInPlace &&= event.offset === start + text.length;
          text += event.bytes.toString();
        }
        expect(isInPlace).toBe(true);
        expect(text).toBe(parts.join("").slice(start));
      }),
      { numRuns: 40 },
    );
  });

  test("a run that is not there is told", async () => {
    await expect(readAll(join(homedir(), "nowhere"))).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});

test("listSegments passes over what is no segment", async () => {
  const run = newRun([
    [100, "bb", ""],
    [0, "a", ""],
  ]);
  for (const name of ["spec", "1.log", "000000000000000x.log", "exit"]) writeFileSync(join(run, name), "");
  const segments = await listSegments(run);
  expect(segments.map(({ firstOffset, sizeBytes }) => [firstOffset, sizeBytes])).toEqual([
    [0, 1],
    [100, 2],
  ]);
});

describe("the index", () => {
  test("has lines of one width", () => {
    expect(indexLine("o", 1, 2, 3)).toHaveLength(indexLineBytes);
    expect(parseIndexLine(indexLine("k", 1, 2, 3))).toEqual({
      mark: "successor",
      timeUs: 1,
      offset: 2,
      value: 3,
    });
    expect(parseIndexLine(indexLine("z", 1, 2, 3))).toBeUndefined();
    expect(parseIndexLine(indexLine("o", 1, 2, 3).slice(0, -1))).toBeUndefined();
  });

  test("finds any offset by halving, and does not see a torn last line", async () => {
    const steps = fc.array(fc.tuple(fc.nat(3), fc.constantFrom("o", "e", "r")), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(100), fc.nat(49), async (moves, target, torn) => {
        let offset = 0;
        const text = moves.map(([step, kind], time) => indexLine(kind, time, (offset += step))).join("");
        const run = newRun([[0, "", text + indexLine("o", 999, 999).slice(0, torn)]]);
        await using file = await open(join(run, `${pad(0, 16)}.idx`));
        const marks: Mark[] = [];
        for await (const mark of readIndex(file)) marks.push(mark);
        expect(marks).toHaveLength(moves.length);
        const first = marks.findIndex((mark) => mark.offset >= target);
        expect(await findIndexLine(file, target)).toBe(first < 0 ? marks.length : first);
        const inForce = marks.findLast((mark) => mark.offset < target && mark.mark !== "resized");
        expect(await findStreamMark(file, target)).toEqual(inForce);
      }),
      { numRuns: 40 },
    );
  });

  test("of more lines than one read takes is read whole", async () => {
    const text = Array.from({ length: 3_000 }, (_, line) =>
      indexLine(line === 0 ? "o" : "r", line, line),
    ).join("");
    const run = newRun([[0, "", text]]);
    await using file = await open(join(run, `${pad(0, 16)}.idx`));
    let count = 0;
    for await (const mark of readIndex(file, 5)) expect(mark.offset).toBe(5 + count++);
    expect(count).toBe(2_995);
    expect(await findStreamMark(file, 2_900)).toMatchObject({ mark: "stdout", offset: 0 });
    truncateSync(join(run, `${pad(0, 16)}.idx`), 0);
    expect(await findIndexLine(file, 1)).toBe(0);
  });
});
