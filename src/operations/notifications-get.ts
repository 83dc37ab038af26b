import { describeNotice } from "../notifications/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { Handler } from "./context.ts";

export const notificationsGet: Handler<"notifications.get"> = async (
  { notifications, processes },
  { input },
) => {
  const notice = await processes.store.notices.get(input.notice);
  if (notice !== undefined) return await describeNotice(notifications, notice);
  throw new HoldfastError("NOTICE_NOT_FOUND", `There is no notice "${input.notice}".`, {
    details: { notice: input.notice },
  });
};
