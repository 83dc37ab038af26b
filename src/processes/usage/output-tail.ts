// How far the output of a run goes, and its last line. Blocking reads, for the thread of the samples.
import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "../output/plain-text.ts";

export interface OutputTail {
  readonly end: number;
  /** The newest file first. */
  readonly files: readonly string[];
}

const segmentName = /^\d{16}\.log$/;
const tailBytes = 4_096;
// More than is shown, so that whoever takes secrets out sees the whole of one.
const mostCharacters = 1_000;

/** Zero bytes for a run that is gone. */
export function outputTail(directory: string): OutputTail {
  try {
    const names = readdirSync(directory)
      .filter((name) => segmentName.test(name))
      .toSorted()
      .toReversed();
    const [newest] = names;
    if (newest === undefined) return { end: 0, files: [] };
    const { size } = statSync(join(directory, newest));
    return { end: Number.parseInt(newest, 10) + size, files: names.map((name) => join(directory, name)) };
  } catch {
    return { end: 0, files: [] }; // removed, or dropped between two steps: the next sample sees what is there
  }
}

/** The last line that has something in it. A file that has just begun may have none: then the one before it is looked at. */
export function lastLineOf({ files }: OutputTail): string {
  for (const file of files.slice(0, 2)) {
    const lines = plainText(readTail(file)).split("\n");
    const line = lines.findLast((text) => text.trim() !== "");
    if (line !== undefined) return line.slice(0, mostCharacters);
  }
  return "";
}

function readTail(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, "r");
    const { size } = statSync(path);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    const length = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", 0, length);
  } catch {
    return ""; // dropped since
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
