import type { Handler } from "./context.ts";
import { describeSession, openSessions } from "./describe-session.ts";

/** A session is told of itself. */
export const sessionList: Handler<"session.list"> = async (context, { caller }) => {
  const open = await openSessions(context);
  const keys = caller.session === undefined ? open : open.filter((key) => key === caller.session);
  return { sessions: await Promise.all(keys.map((key) => describeSession(context, key))) };
};
