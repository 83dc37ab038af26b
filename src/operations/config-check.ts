import type { Handler } from "./context.ts";

export const configCheck: Handler<"config.check"> = async ({ config }, { input }) =>
  await config.check(input.directory);
