// The result of a job: how it ended and what it wrote, half from the beginning and half from the end where it is long.
import { hasNoRun, outputSource, readOutput, viewProcess } from "../../processes/index.ts";
import { outputInputSchema } from "../../protocol/output.ts";
import type { OperationOutput } from "../../protocol/operations.ts";
import type { ProcessRecord } from "../../store/index.ts";
import type { NotificationContext } from "../context.ts";
import { durationText, howItEnded, whyItEnded } from "./how-it-ended.ts";

const mostCharacters = 16_000;
const halfCharacters = mostCharacters / 2;
// A character has at most four bytes; the rest is context in which a secret is recognised whole.
const halfBytes = halfCharacters * 4 + 8_192;

export async function jobResultText(
  context: NotificationContext,
  record: ProcessRecord,
): Promise<OperationOutput<"job.result">> {
  const process = viewProcess(record);
  const why = whyItEnded(process);
  const head = `Job ${process.id} ${howItEnded(process)} after ${durationText(process.uptimeMs)}${why === undefined ? "" : ` (${why})`}.`;
  const isFinal = process.state === "ended";
  const output = await boundedOutput(context, record);
  if (output === undefined) {
    const text = record.outputRemoved ? "Its output is no longer kept." : "It wrote nothing.";
    return { process, isFinal, text: `${head}\n${text}`, omittedBytes: 0 };
  }
  return { process, isFinal, text: `${head}\n${output.text}`, omittedBytes: output.omittedBytes };
}

async function boundedOutput(
  { processes, redact }: NotificationContext,
  record: ProcessRecord,
): Promise<{ readonly text: string; readonly omittedBytes: number } | undefined> {
  if (record.outputRemoved || (await hasNoRun(processes, record))) return undefined;
  const source = await outputSource(processes, record);
  const input = outputInputSchema.parse({
    id: record.id,
    head: halfBytes,
    tail: halfBytes,
  });
  const told = await readOutput(source, input).catch(() => undefined); // removed under us
  if (told?.text === undefined || told.text === "") return undefined;
  // Redacted before it is cut: half a secret is no longer recognised as one.
  const clean = redact(told.text);
  const leftOut = told.omitted.reduce((sum, { from, to }) => sum + to - from, 0);
  if (clean.length <= mostCharacters) return { text: clean, omittedBytes: leftOut };
  const head = clean.slice(0, halfCharacters);
  const tail = clean.slice(-halfCharacters);
  const omittedBytes = Math.max(0, told.end - Buffer.byteLength(head) - Buffer.byteLength(tail));
  const marker = `\n[… about ${omittedBytes} bytes left out; all of it: holdfast logs ${record.id} …]\n`;
  return { text: `${head}${marker}${tail}`, omittedBytes };
}
