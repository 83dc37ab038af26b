import { currentView } from "../processes/index.ts";
import type { Handler } from "./context.ts";

/** Newest first. */
export const jobList: Handler<"job.list"> = async ({ processes }, { input }) => {
  const records = await processes.store.processes.list({ ...input, kind: "job" });
  return { jobs: await Promise.all(records.map((record) => currentView(processes, record))) };
};
