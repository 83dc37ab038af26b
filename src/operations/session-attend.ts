import { attendSession } from "../notifications/index.ts";
import type { Handler } from "./context.ts";

export const sessionAttend: Handler<"session.attend"> = async ({ notifications }, { input }) =>
  await attendSession(notifications, input.session);
