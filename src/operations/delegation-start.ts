import { startDelegation } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

export const delegationStart: Handler<"delegation.start"> = async ({ notifications }, { input, caller }) =>
  await startDelegation(notifications, input, caller.session);
