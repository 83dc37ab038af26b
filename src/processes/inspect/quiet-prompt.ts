// The sign of a program that waits without the kernel telling: its last line has no end, and it has been quiet for a moment.
import { stat } from "node:fs/promises";
import { listSegments, segmentEnd } from "../../keeper/index.ts";
import { readRange } from "../output/read-range.ts";

// Longer than the pauses of a program that is still drawing.
const quietMs = 500;

export async function isQuietPrompt(directory: string): Promise<boolean> {
  const last = (await listSegments(directory).catch(() => [])).at(-1); // ended and removed under us
  if (last === undefined || last.sizeBytes === 0) return false;
  const { mtimeMs } = await stat(last.logPath);
  if (Date.now() - mtimeMs < quietMs) return false;
  const end = segmentEnd(last);
  const { parts } = await readRange(directory, { from: end - 1, to: end, mostBytes: 1 });
  return parts.at(-1)?.bytes.at(-1) !== 0x0a;
}
