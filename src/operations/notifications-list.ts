import { describeNotices } from "../notifications/index.ts";
import type { Handler } from "./context.ts";
import { noticeQuery } from "./notice-query.ts";

/** Oldest first, as they happened. */
export const notificationsList: Handler<"notifications.list"> = async (
  { notifications, processes },
  { input, caller },
) => {
  const query = await noticeQuery(processes, input);
  const { notices } = processes.store;
  const { states, after, limit } = input;
  const unread = input.unread ? { by: caller.session } : undefined;
  const found = await notices.list({ ...query, states, unread, after, limit });
  return {
    notices: await describeNotices(notifications, found),
    cursor: found.at(-1)?.cursor ?? after,
    newest: await notices.last(),
    pending: await notices.countPending(query),
  };
};
