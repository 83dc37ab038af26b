import type { Handler } from "./context.ts";
import { describeSession } from "./describe-session.ts";
import { findSession } from "./find-session.ts";

export const sessionGet: Handler<"session.get"> = async (context, { input }) => {
  await findSession(context, input.session);
  return await describeSession(context, input.session);
};
