import { finishDelegation } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

export const delegationFinish: Handler<"delegation.finish"> = async ({ notifications }, { input }) =>
  await finishDelegation(notifications, input);
