import { describeNotice, sinkNames } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

/** Deliveries that were given up, or that wait for a person. They stay owed. Those of a sink that is gone are nobody's. */
export const notificationsDead: Handler<"notifications.dead"> = async (
  { notifications, processes },
  { input, caller },
) => {
  const { store } = processes;
  const names = sinkNames(processes.config());
  const stuck = await store.deliveries.stuck(names, input.limit);
  const deliveries = [];
  for (const { sink, state, attempts, lastError, changedAt, notice } of stuck) {
    if (caller.session !== undefined && notice.route.session !== caller.session) continue;
    deliveries.push({
      sink,
      state: state === "needs_person" ? ("needs_person" as const) : ("dead" as const),
      attempts,
      lastError,
      at: new Date(changedAt).toISOString(),
      notice: await describeNotice(notifications, notice),
    });
  }
  return { deliveries, sinks: await store.sinks.disabled(names) };
};
