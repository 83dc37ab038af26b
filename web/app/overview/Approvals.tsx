// Commands that wait for a person. The command is told as the policy saw it, redacted.
import { useEffect } from "react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApprovalAnswer, ApprovalView } from "#protocol/policy.ts";
import { client } from "~/api/client.ts";
import { useRoleReason } from "~/api/me.ts";
import { useNow } from "~/hooks/use-now.ts";
import { Button } from "~/ui/Button.tsx";
import { Failed, Loading } from "~/ui/States.tsx";
import { showError } from "~/ui/toasts.tsx";
import { formatDuration } from "~/util/format.ts";

export function usePendingApprovals() {
  return useQuery({
    queryKey: ["approvals"],
    queryFn: ({ signal }) => client.approval.list({ states: ["pending"] }, { signal }),
  });
}

export function Approvals() {
  const pending = usePendingApprovals();
  if (pending.error !== null) return <Failed error={pending.error} onRetry={() => void pending.refetch()} />;
  if (pending.data === undefined) return <Loading lines={1} />;
  if (pending.data.approvals.length === 0) return null;
  return (
    <ul aria-label="Approvals" className="divide-y divide-line">
      {pending.data.approvals.map((approval) => (
        <Approval key={approval.id} approval={approval} />
      ))}
    </ul>
  );
}

function Approval({ approval }: { approval: ApprovalView }) {
  const now = useNow();
  const role = useRoleReason("operator");
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (given: ApprovalAnswer) =>
      client.approval.answer({ approval: approval.id, answer: given, via: "dashboard" }),
    onError: (error) => showError("Not answered", error),
    onSettled: () => queries.invalidateQueries({ queryKey: ["approvals"] }),
  });
  useExpiry(approval);
  const left = Date.parse(approval.expiresAt) - now;
  return (
    <li className="flex flex-col gap-2 px-3 py-2 lg:flex-row lg:items-center">
      <div className="min-w-0 flex-1">
        <code className="font-mono text-xs break-all">{approval.command}</code>
        <p className="mt-1 text-xs text-muted">
          {approval.reasons.map(({ text }) => text).join("; ")} · in {approval.cwd}
          {approval.session === null ? "" : ` · session ${approval.session}`} ·{" "}
          {left > 0 ? `${formatDuration(left)} left` : "time is up"}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          disabled={answer.isPending}
          disabledReason={role}
          onClick={() => answer.mutate("once")}
        >
          Allow once
        </Button>
        <Button
          disabled={answer.isPending}
          disabledReason={role ?? (approval.session === null ? "It belongs to no session" : undefined)}
          onClick={() => answer.mutate("session")}
        >
          Allow in this session
        </Button>
        <Button
          kind="danger"
          disabled={answer.isPending}
          disabledReason={role}
          onClick={() => answer.mutate("deny")}
        >
          Deny
        </Button>
      </div>
    </li>
  );
}

// Clocks differ a little: a moment later the daemon has let go of it too.
const graceMs = 1_000;

/** That its time is up is no event: the list is asked for anew. */
function useExpiry({ expiresAt }: ApprovalView): void {
  const queries = useQueryClient();
  useEffect(() => {
    const leftMs = Math.max(0, Date.parse(expiresAt) - Date.now()) + graceMs;
    const timer = setTimeout(() => void queries.invalidateQueries({ queryKey: ["approvals"] }), leftMs);
    return () => clearTimeout(timer);
  }, [queries, expiresAt]);
}
