import type { Handler } from "./context.ts";

export const watchRemove: Handler<"watch.remove"> = async ({ processes }, { input }) => ({
  removed: await processes.watches.remove(input.watch),
});
