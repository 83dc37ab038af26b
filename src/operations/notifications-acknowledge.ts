import type { Handler } from "./context.ts";

/** Of each, what came of it: one that another consumer has meanwhile is told as lost, and stays owed to that one. */
export const notificationsAcknowledge: Handler<"notifications.acknowledge"> = async (
  { notifications },
  { input },
) => {
  const settled = await notifications.outbox.acknowledge(input.notices, input.consumer);
  return { results: [...settled].map(([id, outcome]) => ({ id, outcome })) };
};
