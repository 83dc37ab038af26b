import { listedView } from "../processes/index.ts";
import type { Handler } from "./context.ts";

/** Newest first. */
export const processList: Handler<"process.list"> = async ({ processes }, { input }) => {
  const { limit, details, states, session, task, profile, labels } = input;
  const filter = Object.entries({ states, session, task, profile, labels }).filter(
    ([, value]) => value !== undefined,
  );
  const records = await processes.store.processes.list({ limit, ...Object.fromEntries(filter) });
  const views = await Promise.all(records.map((record) => listedView(processes, record, details)));
  return { processes: views, running: processes.registry.liveCount };
};
