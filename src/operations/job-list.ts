import { currentView } from "../processes/index.ts";
import type { Handler } from "./context.ts";
import { redactView } from "./redact-view.ts";

/** Newest first. */
export const jobList: Handler<"job.list"> = async ({ processes, redactor }, { input, caller }) => {
  const filter = { ...input, kind: "job", visibleTo: caller.session } as const;
  const records = await processes.store.processes.list(filter);
  const views = await Promise.all(records.map((record) => currentView(processes, record)));
  return { jobs: views.map((view) => redactView(view, redactor)) };
};
