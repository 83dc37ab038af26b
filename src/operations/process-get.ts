import { detailView } from "../processes/index.ts";
import type { Handler } from "./context.ts";

export const processGet: Handler<"process.get"> = async ({ processes }, { input }) =>
  await detailView(processes, await processes.registry.find(input.id));
