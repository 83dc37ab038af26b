import type { Handler } from "./context.ts";

export const configExplain: Handler<"config.explain"> = ({ config }, { input }) =>
  Promise.resolve(config.explain(input.key));
