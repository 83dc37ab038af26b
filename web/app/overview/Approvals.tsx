// Commands that wait for a person. The command is told as the policy saw it, redacted.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApprovalAnswer, ApprovalView } from "#protocol/policy.ts";
import { client } from "~/api/client.ts";
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
  if (pending.data === undefined) return <Loading lines={2} />;
  return (
    <ul className="divide-y divide-line">
      {pending.data.approvals.map((approval) => (
        <Approval key={approval.id} approval={approval} />
      ))}
    </ul>
  );
}

function Approval({ approval }: { approval: ApprovalView }) {
  const now = useNow();
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (given: ApprovalAnswer) =>
      client.approval.answer({ approval: approval.id, answer: given, via: "dashboard" }),
    onError: (error) => showError("Not answered", error),
    onSettled: () => queries.invalidateQueries({ queryKey: ["approvals"] }),
  });
  const left = Date.parse(approval.expiresAt) - now;
  return (
    <li className="flex flex-col gap-2 px-3 py-2">
      <code className="font-mono text-xs break-all">{approval.command}</code>
      <p className="text-xs text-muted">
        {approval.reasons.map(({ text }) => text).join("; ")} · in {approval.cwd}
        {approval.session === null ? "" : ` · session ${approval.session}`} ·{" "}
        {left > 0 ? `${formatDuration(left)} left` : "time is up"}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" disabled={answer.isPending} onClick={() => answer.mutate("once")}>
          Allow once
        </Button>
        <Button
          disabled={answer.isPending}
          disabledReason={approval.session === null ? "It belongs to no session" : undefined}
          onClick={() => answer.mutate("session")}
        >
          Allow in this session
        </Button>
        <Button kind="danger" disabled={answer.isPending} onClick={() => answer.mutate("deny")}>
          Deny
        </Button>
      </div>
    </li>
  );
}
