import { markBusy } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

/** With a lease: whoever dies while busy does not hold the session for ever. */
export const sessionBusy: Handler<"session.busy"> = async ({ notifications }, { input }) =>
  await markBusy(notifications, input.session, input.by, input.leaseMs);
