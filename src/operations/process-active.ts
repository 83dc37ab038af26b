import { matchesSelector } from "../processes/index.ts";
import type { Handler } from "./context.ts";

/** Answered from memory: may be asked as often as one likes. */
export const processActive: Handler<"process.active"> = ({ processes }, { input }) => {
  const oldest = Date.now() - (input.youngerThanMs ?? Number.POSITIVE_INFINITY);
  const live = processes.registry
    .live()
    .filter((record) => matchesSelector(record, input) && record.createdAt >= oldest);
  return Promise.resolve({
    active: live.length > 0,
    ids: live.map((record) => record.id),
    running: processes.registry.liveCount,
  });
};
