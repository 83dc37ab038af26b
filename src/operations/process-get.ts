import { detailView } from "../processes/index.ts";
import type { Handler } from "./context.ts";

export const processGet: Handler<"process.get"> = async ({ processes, notifications }, { input, caller }) => {
  const record = await processes.registry.find(input.id);
  const view = await detailView(processes, record);
  // Its own list of unread notices need not repeat what it has just looked at; sinks push it all the same.
  if (caller.session !== undefined && caller.session === record.session)
    await notifications.outbox.markObserved(record.id, caller.session);
  return view;
};
