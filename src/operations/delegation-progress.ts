import { progressDelegation } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

export const delegationProgress: Handler<"delegation.progress"> = async ({ notifications }, { input }) =>
  await progressDelegation(notifications, input);
