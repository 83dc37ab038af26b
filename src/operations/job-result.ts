import { jobResultText } from "../notifications/index.ts";
import type { Handler } from "./context.ts";
import { tellEnds } from "./end-told.ts";
import { findJob } from "./find-job.ts";

export const jobResult: Handler<"job.result"> = async (context, call) => {
  const record = await findJob(context.processes, call.input.id);
  const result = await jobResultText(context.notifications, record);
  // Whoever has read the result knows how it ended.
  if (result.isFinal) tellEnds(context, call, "job.result", [result.process]);
  return result;
};
