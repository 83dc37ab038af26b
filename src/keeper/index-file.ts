// The index of a segment (CONTRACT.md §3.2): fixed-width lines, so a line is found by halving the file.
import type { FileHandle } from "node:fs/promises";
import { markKindOf, type Mark } from "./output-event.ts";

export const indexLineBytes = 50;
const linesPerRead = 1024;
const linePattern = /^([a-z]) (\d{16}) (\d{16}) (\d{13})\n$/;

/** Undefined for a line that is torn, damaged, or of a kind this version does not know. */
export function parseIndexLine(line: string): Mark | undefined {
  const match = linePattern.exec(line);
  const mark = markKindOf(match?.[1] ?? "");
  if (match === null || mark === undefined) return undefined;
  return { mark, timeUs: Number(match[2]), offset: Number(match[3]), value: Number(match[4]) };
}

/** Whole lines only: what a dying keeper left of its last one does not count. */
export async function countIndexLines(file: FileHandle): Promise<number> {
  return Math.floor((await file.stat()).size / indexLineBytes);
}

async function readLines(file: FileHandle, first: number, count: number): Promise<Array<Mark | undefined>> {
  const block = Buffer.allocUnsafe(count * indexLineBytes);
  const { bytesRead } = await file.read(block, 0, block.length, first * indexLineBytes);
  const whole = Math.floor(bytesRead / indexLineBytes);
  return Array.from({ length: whole }, (_, line) => {
    return parseIndexLine(block.toString("latin1", line * indexLineBytes, (line + 1) * indexLineBytes));
  });
}

/** The number of the first line at or after `offset`; the count of lines if there is none. */
export async function findIndexLine(file: FileHandle, offset: number): Promise<number> {
  let low = 0;
  let high = await countIndexLines(file);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [mark] = await readLines(file, middle, 1);
    // A damaged line says nothing about its place; taken as earlier, it can only make the reader see a line too few.
    if (mark === undefined || mark.offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The stream line in force at `offset`, from before it: what the bytes there belong to. */
export async function findStreamMark(file: FileHandle, offset: number): Promise<Mark | undefined> {
  let end = await findIndexLine(file, offset);
  while (end > 0) {
    const first = Math.max(0, end - linesPerRead);
    const marks = await readLines(file, first, end - first);
    const found = marks.findLast((mark) => mark?.mark === "stdout" || mark?.mark === "stderr");
    if (found !== undefined) return found;
    end = first;
  }
  return undefined;
}

/** The readable lines from line number `first` on. */
export async function* readIndex(file: FileHandle, first = 0): AsyncGenerator<Mark, void, undefined> {
  for (let line = first; ; line += linesPerRead) {
    const marks = await readLines(file, line, linesPerRead);
    for (const mark of marks) if (mark !== undefined) yield mark;
    if (marks.length < linesPerRead) return;
  }
}
