import type { Handler } from "./context.ts";

export const configGet: Handler<"config.get"> = ({ config }, { input }) =>
  Promise.resolve(config.get(input.key));
