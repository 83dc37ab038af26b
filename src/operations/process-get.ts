import { detailView } from "../processes/index.ts";
import type { Handler } from "./context.ts";
import { showEnd } from "./end-told.ts";

export const processGet: Handler<"process.get"> = async (context, call) => {
  const { processes } = context;
  const view = await detailView(processes, await processes.registry.find(call.input.id));
  showEnd(context, call, "process.get", view);
  return view;
};
