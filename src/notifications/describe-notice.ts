// A notice as callers see it.
import { viewProcess } from "../processes/index.ts";
import type { Notice, NoticeWithText } from "../protocol/notices.ts";
import type { NoticeRecord, ProcessRecord } from "../store/index.ts";
import type { NotificationContext } from "./context.ts";
import { noticeText } from "./text/notice-text.ts";

function view(record: NoticeRecord, process: ProcessRecord | undefined): Notice {
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
    data: record.data,
    process: process === undefined ? null : viewProcess(process),
  };
}

export async function describeNotice(
  context: NotificationContext,
  record: NoticeRecord,
): Promise<NoticeWithText> {
  const { processId } = record;
  const process = processId === null ? undefined : await context.processes.registry.get(processId);
  return { ...view(record, process), text: await noticeText(context, record, process) };
}
