// The verbs of policies, approvals and the audit log: a part of the table of operations.
import { operation, type Operation } from "./operation.ts";
import * as p from "./policy.ts";

export const policyOperations = {
  "policy.check": operation(
    "Tell what would be decided about a command, and why; nothing is started.",
    p.policyCheckInputSchema,
    p.policyCheckOutputSchema,
    "reads",
  ),
  "policy.list": operation(
    "Tell the policy of a profile and what was granted.",
    p.policyListInputSchema,
    p.policyListOutputSchema,
    "reads",
  ),
  "policy.lift": operation(
    "Let nothing ask in a session any more; for persons only.",
    p.policyLiftInputSchema,
    p.grantSchema,
    "changes",
    "admin",
  ),
  "policy.restore": operation(
    "Ask again: end what was lifted or granted.",
    p.policyRestoreInputSchema,
    p.policyRestoreOutputSchema,
    "changes",
  ),
  "approval.list": operation(
    "List approvals that a person was asked for.",
    p.approvalListInputSchema,
    p.approvalListOutputSchema,
    "reads",
  ),
  "approval.answer": operation(
    "Allow or refuse a command; for persons only.",
    p.approvalAnswerInputSchema,
    p.approvalSchema,
    "changes",
  ),
  "audit.list": operation(
    "Tell what was decided about commands, and by whom.",
    p.auditListInputSchema,
    p.auditListOutputSchema,
    "reads",
    "admin",
  ),
} as const satisfies Record<string, Operation>;
