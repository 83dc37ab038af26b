// A notice as callers see it.
import { viewProcess } from "../processes/index.ts";
import type { Notice, NoticeWithText } from "../protocol/notices.ts";
import type { ProcessView } from "../protocol/process.ts";
import type { NoticeRecord, ProcessRecord } from "../store/index.ts";
import type { NotificationContext } from "./context.ts";
import { noticeText } from "./text/notice-text.ts";

type Redact = NotificationContext["redact"];

// Each text reads the end of an output: so many files are open at once, and others get their turn in between.
export const describedAtOnce = 16;

function view(record: NoticeRecord, process: ProcessRecord | undefined, redact: Redact): Notice {
  const { session, task, profile, origin } = record.route;
  return {
    id: record.id,
    cursor: record.cursor,
    kind: record.kind,
    at: new Date(record.at).toISOString(),
    state: record.state,
    processId: record.processId,
    owner: {
      profile,
      ...(session === null ? {} : { session }),
      ...(task === null ? {} : { task }),
      ...(origin === null ? {} : { origin }),
    },
    observed: record.isObserved,
    attempts: record.attempts,
    acknowledgedBy: record.state === "acknowledged" || record.state === "seen" ? record.settledBy : null,
    data: redactValues(record.data, redact),
    process: process === undefined ? null : redactProcess(viewProcess(process), redact),
  };
}

/** What its caller gave to route by stays as it is. */
function redactProcess(process: ProcessView, redact: Redact): ProcessView {
  return { ...process, command: redact(process.command), argv: process.argv.map(redact) };
}

function redactValues<Value>(value: Value, redact: Redact): Value;
function redactValues(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactValues<unknown>(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redactValues<unknown>(item, redact)]),
  );
}

export async function describeNotice(
  context: NotificationContext,
  record: NoticeRecord,
): Promise<NoticeWithText> {
  const { processId } = record;
  const process = processId === null ? undefined : await context.processes.registry.get(processId);
  return {
    ...view(record, process, context.redact),
    text: await noticeText(context, record, process),
  };
}

export async function describeNotices(
  context: NotificationContext,
  records: readonly NoticeRecord[],
): Promise<NoticeWithText[]> {
  const described: NoticeWithText[] = [];
  for (let first = 0; first < records.length; first += describedAtOnce) {
    const some = records.slice(first, first + describedAtOnce);
    described.push(...(await Promise.all(some.map((record) => describeNotice(context, record)))));
  }
  return described;
}
