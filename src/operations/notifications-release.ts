import type { Handler } from "./context.ts";

/** Back to whoever asks next, without waiting for the lease to run out. */
export const notificationsRelease: Handler<"notifications.release"> = async (
  { notifications },
  { input },
) => {
  const settled = await notifications.outbox.release(input.notices, input.consumer);
  return { results: [...settled].map(([id, outcome]) => ({ id, outcome })) };
};
