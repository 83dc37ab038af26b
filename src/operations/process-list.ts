import { listedView } from "../processes/index.ts";
import type { Handler } from "./context.ts";
import { redactView } from "./redact-view.ts";

/** Newest first; a session is told of those it may see. */
export const processList: Handler<"process.list"> = async ({ processes, redactor }, { input, caller }) => {
  const { limit, details, states, session, task, profile, labels } = input;
  const visibleTo = caller.session;
  const filter = Object.entries({ states, session, task, profile, labels, visibleTo }).filter(
    ([, value]) => value !== undefined,
  );
  // Before the list: a change in between is told twice rather than not at all.
  const cursor = await processes.store.events.last();
  const records = await processes.store.processes.list({ limit, ...Object.fromEntries(filter) });
  const views = await Promise.all(records.map((record) => listedView(processes, record, details)));
  return {
    processes: views.map((view) => redactView(view, redactor)),
    running: processes.registry.liveCount,
    cursor,
  };
};
