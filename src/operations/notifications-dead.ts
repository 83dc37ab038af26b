import { describeNotice } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

/** Deliveries that were given up, or that wait for a person. They stay owed. */
export const notificationsDead: Handler<"notifications.dead"> = async ({ notifications, processes }) => {
  const { deliveries } = processes.store;
  const stuck = await deliveries.stuck();
  return {
    deliveries: await Promise.all(
      stuck.map(async ({ sink, state, attempts, lastError, changedAt, notice }) => ({
        sink,
        state: state === "needs_person" ? ("needs_person" as const) : ("dead" as const),
        attempts,
        lastError,
        at: new Date(changedAt).toISOString(),
        notice: await describeNotice(notifications, notice),
      })),
    ),
    sinks: (await deliveries.sinks()).filter(({ state }) => state === "disabled"),
  };
};
