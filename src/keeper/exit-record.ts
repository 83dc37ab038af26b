// The exit record of a run (CONTRACT.md §2.2): the file `exit`, the ENDED frame, and the end of a STATE.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Exit, ExitRecord, ResourceUsage } from "../protocol/exit.ts";
import { isMissingFile } from "./system-error.ts";
import { startStageNamed, stopReasonNamed } from "./numbers.ts";
import { linesFrom, parseText, textNumber, textValue, type TextLines } from "./text-format.ts";

const sumLine = /(?:^|\n)sum ([0-9a-f]{8})(?:\n|$)/;

/** Undefined for a text without a valid sum: such a record does not exist. */
export function parseExitRecord(bytes: Buffer): ExitRecord | undefined {
  // latin1 keeps one character per byte, so that a position in the text is one in the bytes.
  const match = sumLine.exec(bytes.toString("latin1"));
  if (match === null) return undefined;
  const summed = bytes.subarray(0, match.index === 0 ? 0 : match.index + 1);
  if (crc32(summed) !== Number.parseInt(match[1] ?? "", 16)) return undefined;
  return exitRecordOf(parseText(summed.toString()));
}

/** The record in the STATE of an ended run; the frame is whole or not there at all, so it needs no sum. */
export function exitRecordOfState(lines: TextLines): ExitRecord | undefined {
  // `output_bytes` and others stand in both parts: the record's own begin with its first line.
  const record = linesFrom(lines, "contract");
  return exitRecordOf(record.length > 0 ? record : lines);
}

/** Undefined while there is none. @throws the error of the operating system when it cannot be read */
export async function readExitRecord(directory: string): Promise<ExitRecord | undefined> {
  try {
    return parseExitRecord(await readFile(join(directory, "exit")));
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw error;
  }
}

function exitRecordOf(lines: TextLines): ExitRecord | undefined {
  const exit = exitOf(lines);
  const stopReason = stopReasonNamed(textValue(lines, "stop_reason") ?? "none");
  if (exit === undefined || stopReason === undefined) return undefined;
  const stopBy = textValue(lines, "stop_by");
  const usage = usageOf(lines);
  return {
    exit,
    stopReason,
    ...(stopBy ? { stopBy } : {}),
    endedAt: textNumber(lines, "ended_at") ?? 0,
    durationUs: textNumber(lines, "duration_us") ?? 0,
    ...(usage ? { usage } : {}),
    outputBytes: textNumber(lines, "output_bytes") ?? 0,
    gapBytes: textNumber(lines, "gap_bytes") ?? 0,
    descendants: textNumber(lines, "descendants") ?? 0,
  };
}

/** Anything that is not said in full is no exit: a missing code must never read as 0. */
function exitOf(lines: TextLines): Exit | undefined {
  switch (textValue(lines, "kind")) {
    case "exited": {
      const code = textNumber(lines, "code");
      return code === undefined ? undefined : { kind: "exited", code };
    }
    case "signaled": {
      const signal = textNumber(lines, "signal");
      return signal === undefined
        ? undefined
        : { kind: "signaled", signal, coreDumped: textNumber(lines, "core") === 1 };
    }
    case "spawn_failed": {
      const stage = startStageNamed(textValue(lines, "stage") ?? "");
      const errno = textNumber(lines, "errno");
      return stage === undefined || errno === undefined ? undefined : { kind: "spawn_failed", stage, errno };
    }
    case "lost":
      return { kind: "lost", lastSeen: textNumber(lines, "last_seen") ?? 0 };
    default:
      return undefined;
  }
}

function usageOf(lines: TextLines): ResourceUsage | undefined {
  const userUs = textNumber(lines, "user_us");
  const systemUs = textNumber(lines, "system_us");
  const maxRssKib = textNumber(lines, "max_rss_kib");
  if (userUs === undefined || systemUs === undefined || maxRssKib === undefined) return undefined;
  return { userUs, systemUs, maxRssKib };
}
