import { describeNotice } from "../notifications/index.ts";
import type { Handler } from "./context.ts";
import { noticeQuery } from "./notice-query.ts";

/** Oldest first, as they happened. */
export const notificationsList: Handler<"notifications.list"> = async (
  { notifications, processes },
  { input },
) => {
  const query = await noticeQuery(processes, input);
  const { notices } = processes.store;
  const { states, unread, after, limit } = input;
  const found = await notices.list({ ...query, states, unread, after, limit });
  return {
    notices: await Promise.all(found.map((notice) => describeNotice(notifications, notice))),
    cursor: found.at(-1)?.cursor ?? after,
    newest: await notices.last(),
    pending: await notices.countPending(query),
  };
};
