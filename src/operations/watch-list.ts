import type { Handler } from "./context.ts";

export const watchList: Handler<"watch.list"> = async ({ processes }, { input }) => {
  const record = await processes.registry.find(input.id);
  return { watches: await processes.watches.list(record) };
};
