// Approvals and grants as callers see them.
import type { ApprovalView, GrantView } from "../protocol/policy.ts";
import type { ApprovalRecord, GrantRecord } from "../store/index.ts";

export function viewApproval({ digest: _digest, ...record }: ApprovalRecord, waiting: number): ApprovalView {
  return {
    ...record,
    reasons: [...record.reasons],
    createdAt: timeOf(record.createdAt),
    expiresAt: timeOf(record.expiresAt),
    answeredAt: record.answeredAt === null ? null : timeOf(record.answeredAt),
    usedAt: record.usedAt === null ? null : timeOf(record.usedAt),
    waiting,
  };
}

export function viewGrant({ digest: _digest, createdAt, expiresAt, ...grant }: GrantRecord): GrantView {
  return {
    ...grant,
    createdAt: timeOf(createdAt),
    expiresAt: expiresAt === null ? null : timeOf(expiresAt),
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
