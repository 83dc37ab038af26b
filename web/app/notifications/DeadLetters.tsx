// Deliveries that failed for good, or wait for a person. They stay owed; a replay tries again.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client } from "~/api/client.ts";
import { useRoleReason } from "~/api/me.ts";
import { Badge } from "~/ui/Badge.tsx";
import { Button } from "~/ui/Button.tsx";
import { Panel } from "~/ui/Panel.tsx";
import { Failed } from "~/ui/States.tsx";
import { showError } from "~/ui/toasts.tsx";

export function DeadLetters() {
  const queries = useQueryClient();
  const role = useRoleReason("operator");
  const dead = useQuery({
    queryKey: ["dead-letters"],
    queryFn: ({ signal }) => client.notifications.dead({}, { signal }),
  });
  const replay = useMutation({
    mutationFn: (notice: string) => client.notifications.replay({ notice }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["dead-letters"] }),
    onError: (error) => showError("Not replayed", error),
  });
  if (dead.error !== null) return <Failed error={dead.error} onRetry={() => void dead.refetch()} />;
  const disabled = dead.data?.sinks.filter(({ state }) => state === "disabled") ?? [];
  if (dead.data === undefined || (dead.data.deliveries.length === 0 && disabled.length === 0)) return null;
  return (
    <Panel title="Not delivered">
      <ul className="divide-y divide-line">
        {disabled.map(({ name, reason }) => (
          <li key={name} className="px-3 py-2">
            <Badge tone="bad">sink turned off</Badge> {name}: {reason}
          </li>
        ))}
        {dead.data.deliveries.map(({ sink, state, attempts, lastError, notice }) => (
          <li key={`${sink} ${notice.id}`} className="flex flex-wrap items-center gap-2 px-3 py-2">
            <Badge tone={state === "dead" ? "bad" : "warn"}>
              {state === "dead" ? "given up" : "needs a person"}
            </Badge>
            <span className="min-w-0 flex-1 truncate">{notice.text.split("\n", 1)[0]}</span>
            <span className="text-xs text-muted">
              {sink}, {attempts} tries{lastError === null ? "" : `: ${lastError}`}
            </span>
            <Button
              disabled={replay.isPending}
              disabledReason={role}
              onClick={() => replay.mutate(notice.id)}
            >
              Deliver again
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
