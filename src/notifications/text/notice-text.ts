// The text of a notice for models and people: short, self-contained, truthful.
import { z } from "zod";
import { viewProcess } from "../../processes/index.ts";
import { stopReasonSchema } from "../../protocol/exit.ts";
import { processExitSchema, type ProcessView } from "../../protocol/process.ts";
import type { NoticeRecord, ProcessRecord } from "../../store/index.ts";
import type { NotificationContext } from "../context.ts";
import { approvalLines } from "./approval.ts";
import { countField, textField } from "./data-field.ts";
import { delegationText } from "./delegation.ts";
import { durationText, howItEnded, whyItEnded } from "./how-it-ended.ts";
import { quoteLines, quoteWord } from "./quoted.ts";
import { outputTail } from "./tail.ts";

type Redact = NotificationContext["redact"];

const commandCharacters = 300;
const matchedSchema = z.object({ lines: z.array(z.object({ line: z.string() })).catch([]) });
const endFactsSchema = z.object({
  name: z.string().nullable(),
  command: z.string(),
  exit: processExitSchema,
  stopReason: stopReasonSchema,
  durationMs: z.number(),
});

export async function noticeText(
  context: NotificationContext,
  notice: NoticeRecord,
  record: ProcessRecord | undefined,
): Promise<string> {
  const head = `[Holdfast notice ${notice.id}]`;
  if (notice.kind === "delegation.finished") return `${head} ${delegationText(notice.data, context.redact)}`;
  if (notice.kind === "approval.wanted" || notice.kind === "approval.answered")
    return `${head} ${approvalLines(notice, context.redact).join("\n")}`;
  if (record === undefined) return `${head} ${withoutProcess(notice, context.redact).join("\n")}`;
  const process = viewProcess(record);
  const lines = await processLines(context, notice, { record, process });
  return [`${head} ${lines[0]}`, ...lines.slice(1)].join("\n");
}

interface Subject {
  readonly record: ProcessRecord;
  readonly process: ProcessView;
}

async function processLines(
  context: NotificationContext,
  notice: NoticeRecord,
  subject: Subject,
): Promise<string[]> {
  const { process } = subject;
  const command = `command: ${quoteWord(context.redact(process.command), commandCharacters)}`;
  switch (notice.kind) {
    case "process.ended":
      return [...(await endedLines(context, notice, subject)), ...moreLines(process)];
    case "process.progress":
      return [
        `${nameOf(process)} still runs, after ${durationText(process.uptimeMs)}.`,
        command,
        ...moreLines(process),
      ];
    case "process.ready":
      return [
        `${nameOf(process)} is ready: ${quoteWord(context.redact(textField(notice.data, "what")), 200)} answers.`,
        command,
      ];
    case "process.waits-for-input":
      return [
        `${nameOf(process)} waits for input${notice.data["waits"] === "password" ? " (a password)" : ""}.`,
        command,
        ...quotedField(notice, "line", context.redact),
        `answer: holdfast send ${process.id} TEXT --enter`,
      ];
    case "process.limit-reached":
      return [
        `${nameOf(process)} was stopped: ${whyItEnded(process) ?? "a limit was reached"}.`,
        command,
        ...moreLines(process),
      ];
    case "watch.matched":
      return [...matchedLines(notice, process, context.redact), command, ...moreLines(process)];
    case "watch.disabled":
      return [
        `${nameOf(process)} matched too often: its matches are no longer pushed. They are still counted; its end will be told.`,
        command,
        `matches: holdfast watch list ${process.id}`,
      ];
    case "watch.gap":
      return [
        `${nameOf(process)}: ${rangeText(notice)} was dropped, or could not be read, before its watches had looked at it.`,
        command,
      ];
    default:
      return withoutProcess(notice, context.redact);
  }
}

async function endedLines(
  context: NotificationContext,
  notice: NoticeRecord,
  { record, process }: Subject,
): Promise<string[]> {
  const why = whyItEnded(process);
  const tail = await outputTail(context, record);
  const held = countField(notice.data, "heldBack");
  return [
    `${nameOf(process)} ${howItEnded(process)} after ${durationText(process.uptimeMs)}.`,
    ...(why === undefined ? [] : [`why: ${why}`]),
    `command: ${quoteWord(context.redact(process.command), commandCharacters)}`,
    ...(held > 0 ? [`matches not told before: ${held}`] : []),
    ...(tail === undefined
      ? [record.outputRemoved ? "output: no longer kept" : "output: none"]
      : [
          tail.omittedBytes > 0
            ? `output, the end of it (${tail.omittedBytes} bytes before this are left out):`
            : "output:",
          quoteLines(tail.text),
        ]),
  ];
}

function matchedLines(notice: NoticeRecord, process: ProcessView, redact: Redact): string[] {
  const { data } = notice;
  const held = countField(data, "heldBack");
  const { lines } = matchedSchema.parse(data);
  const count = countField(data, "count");
  return [
    `${nameOf(process)} wrote what is watched for${count > 1 ? ` (${count} lines)` : ""}:`,
    ...lines.map(({ line }) => quoteLines(redact(line))),
    ...(held > 0 ? [`of these, held back since the last notice: ${held}`] : []),
  ];
}

function quotedField(notice: NoticeRecord, field: string, redact: Redact): string[] {
  const value = textField(notice.data, field);
  return value === "" ? [] : [quoteLines(redact(value))];
}

function rangeText({ data }: NoticeRecord): string {
  return `output from offset ${countField(data, "from")} to ${countField(data, "to")}`;
}

function moreLines({ id, outputRemoved }: ProcessView): string[] {
  return outputRemoved ? [] : [`more: holdfast logs ${id}`];
}

/** Of no process, or of one that is no longer remembered: then by what the notice itself has kept. */
function withoutProcess({ kind, processId, data }: NoticeRecord, redact: Redact): string[] {
  if (kind === "breaker.tripped") {
    return [
      `Too many matches on this machine: pushing pauses. Held back for this session so far: ${countField(data, "heldBack")}.`,
    ];
  }
  if (kind === "breaker.released") {
    return [
      `Matches are pushed again. Held back for this session meanwhile: ${countField(data, "heldBack")}.`,
    ];
  }
  const gone = "Nothing else of it is kept.";
  const facts = endFactsSchema.safeParse(data);
  if (kind !== "process.ended" || !facts.success || processId === null)
    return [`${kind}${processId === null ? "" : ` of ${processId}`}. ${gone}`];
  const { name, command, durationMs, ...end } = facts.data;
  const named = name === null ? "" : ` ("${name}")`;
  return [
    `Process ${processId}${named} ${howItEnded({ ...end, state: "ended" })} after ${durationText(durationMs)}. ${gone}`,
    `command: ${quoteWord(redact(command), commandCharacters)}`,
  ];
}

function nameOf({ id, name, kind }: ProcessView): string {
  const word = kind === "job" ? "Job" : "Process";
  return name === null ? `${word} ${id}` : `${word} ${id} ("${name}")`;
}
