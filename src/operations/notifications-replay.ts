import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";

/** Owed again to whoever claims, and pushed again to where it was given up. */
export const notificationsReplay: Handler<"notifications.replay"> = async (
  { notifications, processes },
  { input },
) => {
  if (!(await notifications.outbox.replay(input.notice)))
    throw new HoldfastError("NOTICE_NOT_FOUND", `There is no notice "${input.notice}".`, {
      details: { notice: input.notice },
    });
  await processes.store.sinks.enableOf(input.notice, Date.now());
  const deliveries = await processes.store.deliveries.retry({ noticeId: input.notice }, Date.now());
  notifications.outbox.wake();
  return { deliveries };
};
