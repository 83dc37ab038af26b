import type { Handler } from "./context.ts";
import { viewGrant } from "./policy-view.ts";
import { requirePerson } from "./require-person.ts";

export const policyLift: Handler<"policy.lift"> = async (context, { input, caller }) => {
  const by = await requirePerson(context, caller);
  const { session, forMs } = input;
  return viewGrant(await context.policy.lift(session, { by, forMs, requestId: caller.requestId }));
};
