import type { Handler } from "./context.ts";
import { describeSession, openSessions } from "./describe-session.ts";

export const sessionList: Handler<"session.list"> = async (context) => {
  const keys = await openSessions(context);
  return { sessions: await Promise.all(keys.map((key) => describeSession(context, key))) };
};
