// A daemon whose home has a policy, and what tests ask of it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ApprovalView, AuditEntry } from "../../src/protocol/policy.ts";
import type { Client } from "../../src/sdk/index.ts";
import { openDaemonHome, type DaemonHome } from "./daemon-home.ts";
import { newTestHome } from "./test-home.ts";

export interface PolicyConfig {
  readonly profiles: Readonly<Record<string, unknown>>;
  readonly approvalMs?: number;
}

/** As a person would write it; JSON is YAML. */
export function writePolicy(home: string, policy: PolicyConfig): void {
  writeFileSync(join(home, "holdfast.yaml"), JSON.stringify({ policy }), { mode: 0o600 });
}

export async function openPolicyHome(policy: PolicyConfig): Promise<DaemonHome> {
  const home = newTestHome();
  writePolicy(home, policy);
  return await openDaemonHome({ home });
}

/** The open approvals, once there are so many that so many starts wait for. */
export async function pendingApprovals(client: Client, waiting: number): Promise<ApprovalView[]> {
  const found: ApprovalView[][] = [];
  await expect
    .poll(async () => {
      const { approvals } = await client.approval.list({ states: ["pending"] });
      found.push(approvals);
      return approvals.reduce((sum, approval) => sum + approval.waiting, 0);
    })
    .toBe(waiting);
  return found.at(-1) ?? [];
}

export async function pendingApproval(client: Client): Promise<ApprovalView> {
  const [approval] = await pendingApprovals(client, 1);
  if (approval === undefined) throw new Error("no approval is open");
  return approval;
}

/** What was put on record, in short. */
export async function auditOf(client: Client): Promise<string[]> {
  const { entries } = await client.audit.list({});
  return entries.map((entry) => shortEntry(entry));
}

function shortEntry({ what, decision, rules, by, session }: AuditEntry): string {
  const whom = by.startsWith("policy") || by === "time" ? by : by.startsWith("grant") ? "grant" : "person";
  return [what, decision, rules.join("+") || "-", whom, session ?? "-"].join(" ");
}
