import type { Handler } from "./context.ts";
import { viewApproval } from "./policy-view.ts";

/** Newest first. A session sees its own. */
export const approvalList: Handler<"approval.list"> = async ({ policy, processes }, { input, caller }) => {
  const { states, limit } = input;
  const session = caller.session ?? input.session;
  const found = await processes.store.approvals.list({ session, states, limit });
  return { approvals: found.map((record) => viewApproval(record, policy.waitingFor(record.id))) };
};
