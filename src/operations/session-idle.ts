import { markIdle } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

export const sessionIdle: Handler<"session.idle"> = async ({ notifications }, { input }) =>
  await markIdle(notifications, input.session, input.by);
