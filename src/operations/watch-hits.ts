import type { Handler } from "./context.ts";

export const watchHits: Handler<"watch.hits"> = async ({ processes }, { input }) =>
  await processes.watches.hits(input);
