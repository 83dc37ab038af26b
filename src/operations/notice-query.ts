// Which notices a caller means. A process may be named as everywhere else: prefix ids count as the full id.
import type { ProcessContext } from "../processes/index.ts";
import type { NoticeFilter } from "../protocol/notices.ts";
import type { NoticeQuery } from "../store/index.ts";

/** @throws HoldfastError PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS */
export async function noticeQuery(
  { registry }: ProcessContext,
  { session, task, profile, process, kinds }: NoticeFilter,
): Promise<NoticeQuery> {
  const processId = process === undefined ? undefined : (await registry.find(process)).id;
  return { session, task, profile, processId, kinds };
}
