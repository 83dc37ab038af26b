import { cancelDelegation } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

export const delegationCancel: Handler<"delegation.cancel"> = async ({ notifications }, { input }) =>
  await cancelDelegation(notifications, input);
