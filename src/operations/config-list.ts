import type { Handler } from "./context.ts";

export const configList: Handler<"config.list"> = async ({ config }, { input }) => ({
  values: (await config.viewOf(input.directory)).list(),
});
