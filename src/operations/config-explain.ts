import type { Handler } from "./context.ts";

export const configExplain: Handler<"config.explain"> = async ({ config }, { input }) =>
  (await config.viewOf(input.directory)).explain(input.key);
