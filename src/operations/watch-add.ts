import type { Handler } from "./context.ts";

/** A pattern that cannot be used is refused before anything is stored. */
export const watchAdd: Handler<"watch.add"> = async ({ processes }, { input }) => {
  const record = await processes.registry.find(input.id);
  return await processes.watches.add(record, input.watch);
};
