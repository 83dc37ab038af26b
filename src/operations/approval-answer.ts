import type { Handler } from "./context.ts";
import { viewApproval } from "./policy-view.ts";
import { requirePerson } from "./require-person.ts";

/** @throws HoldfastError PERSON_REQUIRED, APPROVAL_NOT_FOUND, APPROVAL_OVER */
export const approvalAnswer: Handler<"approval.answer"> = async (context, { input, caller }) => {
  const { approval, answer, note = null, via } = input;
  const by = `${await requirePerson(context, caller)} by ${via}`;
  const waiting = context.policy.waitingFor(approval);
  const { requestId } = caller;
  return viewApproval(await context.policy.answer(approval, { answer, by, note, requestId }), waiting);
};
