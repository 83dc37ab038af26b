import { endSession } from "../processes/index.ts";
import type { Handler } from "./context.ts";
import { findSession } from "./find-session.ts";

export const sessionEnd: Handler<"session.end"> = async (context, { input, caller }) => {
  const { session, graceMs } = input;
  await findSession(context, session);
  const requester = {
    verb: "session.end",
    requestId: caller.requestId,
    ...(caller.session === undefined ? {} : { session: caller.session }),
  };
  return { session, ...(await endSession(context.processes, session, { graceMs, requester })) };
};
