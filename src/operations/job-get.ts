import { detailView } from "../processes/index.ts";
import type { Handler } from "./context.ts";
import { findJob } from "./find-job.ts";

export const jobGet: Handler<"job.get"> = async ({ processes, notifications }, { input, caller }) => {
  const record = await findJob(processes, input.id);
  if (caller.session !== undefined && caller.session === record.session)
    await notifications.outbox.markObserved(record.id, caller.session);
  return await detailView(processes, record);
};
