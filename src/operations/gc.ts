import { sweep } from "../processes/index.ts";
import type { Handler } from "./context.ts";

export const gc: Handler<"gc"> = async ({ processes }, { input }) => {
  const { removed, outputRemoved, freedBytes } = await sweep(processes, input);
  return { removed: [...removed], outputRemoved: [...outputRemoved], freedBytes };
};
