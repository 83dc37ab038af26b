import { userInfo } from "node:os";
import type { Handler } from "./context.ts";

/** Anybody may: it only makes things stricter. */
export const policyRestore: Handler<"policy.restore"> = async ({ policy }, { input, caller }) => {
  const by = caller.session === undefined ? userInfo().username : `session ${caller.session}`;
  const { session, grant = "" } = input; // one of them is there: the schema sees to it
  const which = session === undefined ? { grant } : { session };
  return { ended: await policy.restore(which, { by, requestId: caller.requestId }) };
};
