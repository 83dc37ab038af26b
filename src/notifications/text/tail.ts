// The end of what a process wrote, small enough for a notice.
import { directoryOf, hasNoRun, plainText, readTail } from "../../processes/index.ts";
import type { ProcessRecord } from "../../store/index.ts";
import type { NotificationContext } from "../context.ts";

const tailLines = 20;
const tailCharacters = 2_000;
// Enough before the cut that a secret which begins earlier is recognised whole.
const readBytes = 32_768;

export interface OutputTail {
  readonly text: string;
  /** How many bytes stand before it. */
  readonly omittedBytes: number;
  readonly outputBytes: number;
}

/** Undefined when there is nothing to show: no output, or none that is kept. */
export async function outputTail(
  { processes, redact }: NotificationContext,
  record: ProcessRecord,
): Promise<OutputTail | undefined> {
  if (record.outputRemoved || (await hasNoRun(processes, record))) return undefined;
  const told = await readTail(directoryOf(processes, record.id), readBytes).catch(() => undefined); // removed under us
  if (told === undefined || told.bytes.length === 0) return undefined;
  // Redacted before it is cut: half a secret is no longer recognised as one.
  const clean = redact(plainText(told.bytes.toString("utf8")));
  const shown = clean.replace(/\n+$/, "");
  const text = lastPart(shown);
  const isWhole = told.from === 0 && text === shown;
  const lineEnds = clean.length - shown.length;
  const omittedBytes = isWhole ? 0 : Math.max(1, told.end - Buffer.byteLength(text) - lineEnds);
  return { text, omittedBytes, outputBytes: told.end };
}

function lastPart(text: string): string {
  const lines = text.split("\n").slice(-tailLines).join("\n");
  if (lines.length <= tailCharacters) return lines;
  const cut = lines.slice(-tailCharacters);
  const newline = cut.indexOf("\n");
  return newline < 0 ? cut : cut.slice(newline + 1);
}
