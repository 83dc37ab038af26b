import { userInfo } from "node:os";
import { describeWho } from "../access/index.ts";
import type { Caller } from "../protocol/operations.ts";
import type { Handler } from "./context.ts";

/** Anybody may: it only makes things stricter. */
export const policyRestore: Handler<"policy.restore"> = async ({ policy }, { input, caller }) => {
  const { session, grant = "" } = input; // one of them is there: the schema sees to it
  const which = session === undefined ? { grant } : { session };
  return { ended: await policy.restore(which, { by: nameOf(caller), requestId: caller.requestId }) };
};

function nameOf({ session, who }: Caller): string {
  if (session !== undefined) return `session ${session}`;
  return who === undefined ? userInfo().username : describeWho(who);
}
