import { detailView } from "../processes/index.ts";
import type { Handler } from "./context.ts";
import { showEnd } from "./end-told.ts";
import { redactView } from "./redact-view.ts";

export const processGet: Handler<"process.get"> = async (context, call) => {
  const { processes } = context;
  const view = await detailView(processes, await processes.registry.find(call.input.id));
  showEnd(context, call, "process.get", view);
  // What a session reads goes to a model.
  return call.caller.session === undefined ? view : redactView(view, context.redactor);
};
