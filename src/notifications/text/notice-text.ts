// The text of a notice for models and people: short, self-contained, truthful.
import { viewProcess } from "../../processes/index.ts";
import type { ProcessView } from "../../protocol/process.ts";
import type { NoticeRecord, ProcessRecord } from "../../store/index.ts";
import type { NotificationContext } from "../context.ts";
import { delegationText } from "./delegation.ts";
import { durationText, howItEnded, whyItEnded } from "./how-it-ended.ts";
import { quoteLines, quoteWord } from "./quoted.ts";
import { outputTail } from "./tail.ts";

const commandCharacters = 300;

export async function noticeText(
  context: NotificationContext,
  notice: NoticeRecord,
  record: ProcessRecord | undefined,
): Promise<string> {
  const head = `[Holdfast notice ${notice.id}]`;
  if (notice.kind === "delegation.finished") return `${head} ${delegationText(notice.data, context.redact)}`;
  if (record === undefined) return `${head} ${withoutProcess(notice)}`;
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
        `${nameOf(process)} is ready: ${quoteWord(String(notice.data["what"] ?? ""), 200)} answers.`,
        command,
      ];
    case "process.waits-for-input":
      return [
        `${nameOf(process)} waits for input${notice.data["waits"] === "password" ? " (a password)" : ""}.`,
        command,
        ...quotedField(notice, "line"),
        `answer: holdfast send ${process.id} TEXT --enter`,
      ];
    case "process.limit-reached":
      return [
        `${nameOf(process)} is being stopped: ${whyItEnded(process) ?? "a limit was reached"}.`,
        command,
      ];
    case "watch.matched":
      return [...matchedLines(notice, process), command, ...moreLines(process)];
    case "watch.disabled":
      return [
        `${nameOf(process)} matched too often: its matches are no longer pushed. They are still counted; its end will be told.`,
        command,
        `matches: holdfast watch list ${process.id}`,
      ];
    case "watch.gap":
      return [
        `${nameOf(process)} wrote faster than its watches could read: ${rangeText(notice)} was dropped before it was looked at.`,
        command,
      ];
    default:
      return [withoutProcess(notice)];
  }
}

async function endedLines(
  context: NotificationContext,
  notice: NoticeRecord,
  { record, process }: Subject,
): Promise<string[]> {
  const why = whyItEnded(process);
  const tail = await outputTail(context, record);
  const held = Number(notice.data["heldBack"] ?? 0);
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

function matchedLines(notice: NoticeRecord, process: ProcessView): string[] {
  const { data } = notice;
  const held = Number(data["heldBack"] ?? 0);
  const matched = Array.isArray(data["lines"])
    ? (data["lines"] as readonly { readonly line?: unknown }[])
    : [];
  const count = Number(data["count"] ?? matched.length);
  return [
    `${nameOf(process)} wrote what is watched for${count > 1 ? ` (${count} lines)` : ""}:`,
    ...matched.map(({ line }) => quoteLines(String(line ?? ""))),
    ...(held > 0 ? [`matches since the last notice that were not told: ${held}`] : []),
  ];
}

function quotedField(notice: NoticeRecord, field: string): string[] {
  const value = notice.data[field];
  return typeof value === "string" && value !== "" ? [quoteLines(value)] : [];
}

function rangeText({ data }: NoticeRecord): string {
  return `output from offset ${String(data["from"])} to ${String(data["to"])}`;
}

function moreLines({ id, outputRemoved }: ProcessView): string[] {
  return outputRemoved ? [] : [`more: holdfast logs ${id}`];
}

function withoutProcess({ kind, processId, data }: NoticeRecord): string {
  if (kind === "breaker.tripped") {
    return `Too many matches on this machine: pushing pauses. Held back for this session so far: ${String(data["heldBack"] ?? 0)}.`;
  }
  if (kind === "breaker.released") {
    return `Matches are pushed again. Held back for this session meanwhile: ${String(data["heldBack"] ?? 0)}.`;
  }
  return `${kind}${processId === null ? "" : ` of ${processId}, which is no longer kept`}.`;
}

function nameOf({ id, name, kind }: ProcessView): string {
  const word = kind === "job" ? "Job" : "Process";
  return name === null ? `${word} ${id}` : `${word} ${id} ("${name}")`;
}
