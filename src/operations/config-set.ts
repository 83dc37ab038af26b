import type { Handler } from "./context.ts";

export const configSet: Handler<"config.set"> = ({ config }, { input }) =>
  Promise.resolve(config.set(input.key, input.value));
