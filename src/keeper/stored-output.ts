// Reads output from the files of a run with no keeper left: same events as from a live one.
import { open, type FileHandle } from "node:fs/promises";
import { HoldfastError } from "../protocol/errors.ts";
import { readExitRecord } from "./exit-record.ts";
import { findIndexLine, findStreamMark, readIndex } from "./index-file.ts";
import type { Mark, OutputEvent } from "./output-event.ts";
import { readKeeperFile } from "./keeper-file.ts";
import { gapBefore, listSegments, openIndex, segmentEnd, type Segment } from "./segments.ts";
import { isMissingFile } from "./system-error.ts";

// As much as a pipe holds: larger reads were not faster, smaller ones cost a thread-pool round trip each.
const readBytes = 65_536;

export interface StoredOutputOptions {
  /** Absolute offset; default 0. */
  readonly from?: number | "end";
  /** Also yield the index lines, each before the data at its offset. */
  readonly marks?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Everything stored from an offset on, then `end`.
 * @throws HoldfastError OUTPUT_TRIMMED (details.firstOffset) when the first byte asked for is not there, RUN_NOT_FOUND
 */
export async function* readStoredOutput(
  directory: string,
  options: StoredOutputOptions = {},
): AsyncGenerator<OutputEvent, void, undefined> {
  const segments = await listSegments(directory);
  const last = segments.at(-1);
  const end = Math.max(last === undefined ? 0 : segmentEnd(last), await recordedEnd(directory));
  let position = options.from === "end" ? end : (options.from ?? 0);
  if (position > end) throw notKept(position, end);
  let isFirst = true;
  for (const segment of segments) {
    if (segmentEnd(segment) <= position) continue;
    for (const hole of await holesBefore(segment, position)) {
      if (isFirst) throw notKept(position, segment.firstOffset);
      yield hole;
      position = hole.to;
      isFirst = false;
    }
    for await (const event of readSegment(segment, position, options)) {
      yield event;
      if (event.kind === "data") position = event.offset + event.bytes.length;
    }
    isFirst = false;
  }
  if (position < end) {
    if (isFirst) throw notKept(position, end);
    yield { kind: "missing", from: position, to: end, why: "gap" };
  }
  yield { kind: "end", nextOffset: end, why: "closed" };
}

/** Where the disk was full until the end, only the records of the exit and of the keeper know how far the output went. */
async function recordedEnd(directory: string): Promise<number> {
  const [exit, keeper] = await Promise.all([readExitRecord(directory), readKeeperFile(directory)]);
  return Math.max(exit?.outputBytes ?? 0, keeper?.endOffset ?? 0);
}

function notKept(asked: number, firstOffset: number): HoldfastError {
  const message = `The output at ${asked} is not kept; the next that is begins at ${firstOffset}.`;
  return new HoldfastError("OUTPUT_TRIMMED", message, { details: { firstOffset } });
}

type Missing = Extract<OutputEvent, { kind: "missing" }>;

async function holesBefore(segment: Segment, position: number): Promise<Missing[]> {
  const to = segment.firstOffset;
  if (position >= to) return [];
  const gapFrom = Math.max(position, to - (await gapBefore(segment)));
  const holes: Missing[] = [
    { kind: "missing", from: position, to: gapFrom, why: "dropped" },
    { kind: "missing", from: gapFrom, to, why: "gap" },
  ];
  return holes.filter((hole) => hole.from < hole.to);
}

async function* readSegment(
  segment: Segment,
  from: number,
  options: StoredOutputOptions,
): AsyncGenerator<OutputEvent, void, undefined> {
  await using log = await openLog(segment);
  if (log === undefined) return;
  await using index = options.marks === true ? await openIndex(segment) : undefined;
  let position = from;
  if (index !== undefined) {
    for await (const mark of marksFrom(index, from)) {
      for await (const event of readData(log, segment, {
        from: position,
        to: mark.offset,
        signal: options.signal,
      })) {
        yield event;
        position = event.offset + event.bytes.length;
      }
      yield { kind: "mark", ...mark };
    }
  }
  yield* readData(log, segment, { from: position, to: segmentEnd(segment), signal: options.signal });
}

/** The line that says which stream the first bytes belong to, then every line from there on. */
async function* marksFrom(index: FileHandle, offset: number): AsyncGenerator<Mark, void, undefined> {
  const first = await findIndexLine(index, offset);
  const inForce = await findStreamMark(index, offset);
  if (inForce !== undefined) yield inForce;
  yield* readIndex(index, first);
}

type Data = Extract<OutputEvent, { kind: "data" }>;

async function* readData(
  log: FileHandle,
  segment: Segment,
  range: { from: number; to: number; signal: AbortSignal | undefined },
): AsyncGenerator<Data, void, undefined> {
  let position = range.from;
  while (position < range.to) {
    range.signal?.throwIfAborted();
    const bytes = Buffer.allocUnsafeSlow(Math.min(readBytes, range.to - position));
    const { bytesRead } = await log.read(bytes, 0, bytes.length, position - segment.firstOffset);
    if (bytesRead === 0) return; // shorter than when it was listed: cut by hand
    yield { kind: "data", offset: position, bytes: bytes.subarray(0, bytesRead) };
    position += bytesRead;
  }
}

async function openLog(segment: Segment): Promise<FileHandle | undefined> {
  try {
    return await open(segment.logPath);
  } catch (error) {
    if (isMissingFile(error)) return undefined; // dropped since the listing; the next segment reports the hole
    throw error;
  }
}
