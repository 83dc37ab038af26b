// The output files of a run (CONTRACT.md §3.1), named by the absolute offset of their first byte.
import { open, readdir, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import { parseIndexLine, indexLineBytes } from "./index-file.ts";
import { isMissingFile } from "./system-error.ts";

const segmentName = /^(\d{16})\.log$/;

export interface Segment {
  readonly firstOffset: number;
  readonly sizeBytes: number;
  readonly logPath: string;
  readonly indexPath: string;
}

export function segmentEnd(segment: Segment): number {
  return segment.firstOffset + segment.sizeBytes;
}

/** The segments that are there, by offset. @throws HoldfastError RUN_NOT_FOUND */
export async function listSegments(directory: string): Promise<Segment[]> {
  const names = await readdir(directory).catch((error: unknown) => {
    if (isMissingFile(error)) throw new HoldfastError("RUN_NOT_FOUND", `There is no run in ${directory}.`);
    throw error;
  });
  const segments = await Promise.all(names.toSorted().map((name) => statSegment(directory, name)));
  return segments.filter((segment) => segment !== undefined);
}

async function statSegment(directory: string, name: string): Promise<Segment | undefined> {
  const digits = segmentName.exec(name)?.[1];
  if (digits === undefined) return undefined;
  const logPath = join(directory, name);
  const indexPath = join(directory, `${digits}.idx`);
  try {
    const { size } = await stat(logPath);
    return { firstOffset: Number(digits), sizeBytes: size, logPath, indexPath };
  } catch (error) {
    if (isMissingFile(error)) return undefined; // dropped between the listing and now
    throw error;
  }
}

/** The open index; undefined if there is none, which costs the marks and not the output. The caller closes it. */
export async function openIndex(segment: Segment): Promise<FileHandle | undefined> {
  try {
    return await open(segment.indexPath);
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

/** How many bytes before this segment were lost to a full disk: its index then begins with that line. */
export async function gapBefore(segment: Segment): Promise<number> {
  await using index = await openIndex(segment);
  if (index === undefined) return 0;
  const line = Buffer.alloc(indexLineBytes);
  await index.read(line, 0, indexLineBytes, 0);
  const mark = parseIndexLine(line.toString("latin1"));
  return mark?.mark === "gap" ? mark.value : 0;
}
