import { detailView } from "../processes/index.ts";
import type { Handler } from "./context.ts";
import { showEnd } from "./end-told.ts";
import { findJob } from "./find-job.ts";

export const jobGet: Handler<"job.get"> = async (context, call) => {
  const { processes } = context;
  const view = await detailView(processes, await findJob(processes, call.input.id));
  showEnd(context, call, "job.get", view);
  return view;
};
