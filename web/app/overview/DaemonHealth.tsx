// How the daemon is, in its own words.
import { useEffect } from "react";
import { useQuery } from "@tanstack/react-query";
import { client } from "~/api/client.ts";
import { connection } from "~/api/connection.ts";
import { useNow } from "~/hooks/use-now.ts";
import { Badge } from "~/ui/Badge.tsx";
import { Failed, Loading } from "~/ui/States.tsx";
import { formatDuration } from "~/util/format.ts";
import { useStore } from "~/util/store.ts";

export function DaemonHealth() {
  const state = useStore(connection);
  const now = useNow();
  const status = useQuery({
    queryKey: ["daemon-status"],
    queryFn: ({ signal }) => client.daemon.status({}, { signal }),
  });
  const { refetch } = status;
  useEffect(() => {
    // It may be another one that answers now.
    if (state === "connected") void refetch();
  }, [state, refetch]);
  if (status.error !== null) return <Failed error={status.error} onRetry={() => void refetch()} />;
  if (status.data === undefined) return <Loading lines={4} />;
  const { data } = status;
  const facts = [
    [
      "State",
      <Badge key="state" tone={data.state === "running" ? "good" : "warn"}>
        {data.state}
      </Badge>,
    ],
    ["Version", data.version],
    ["Home", data.home],
    ["Process id", data.pid],
    ["Running for", formatDuration(Math.max(0, now - Date.parse(data.startedAt)))],
  ] as const;
  return (
    <>
      <dl className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
        {facts.map(([name, value]) => (
          <div key={name} className="flex max-w-full min-w-0 items-center gap-1.5">
            <dt className="shrink-0 text-xs text-muted">{name}</dt>
            <dd className="truncate tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {data.problems.map((problem) => (
        <p key={problem} role="alert" className="border-t border-line px-3 py-2 text-warn">
          {problem}
        </p>
      ))}
    </>
  );
}
