import type { Handler } from "./context.ts";

export const watchHits: Handler<"watch.hits"> = async ({ processes, redactor }, { input, caller }) => {
  const found = await processes.watches.hits(input);
  if (caller.session === undefined) return found;
  // What a session reads goes to a model.
  return { ...found, hits: found.hits.map((hit) => ({ ...hit, line: redactor.line(hit.line) })) };
};
