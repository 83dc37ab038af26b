import { describeNotices } from "../notifications/index.ts";
import type { Handler } from "./context.ts";
import { noticeQuery } from "./notice-query.ts";

/** A caller that goes away before the answer leaves a lease that runs out; nothing is lost by it. */
export const notificationsClaim: Handler<"notifications.claim"> = async (
  { notifications, processes },
  { input, signal },
) => {
  const query = await noticeQuery(processes, input);
  const claimed = await notifications.outbox.claim(query, input, signal);
  return { notices: await describeNotices(notifications, claimed) };
};
