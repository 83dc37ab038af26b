// Everything about one process: what costs a look is asked for when the process changed, or when somebody comes back to it.
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessDetail } from "#protocol/process.ts";
import { client } from "~/api/client.ts";

/** What is worth another look: not that it wrote something, which may be ten times in a second. */
function lookOf(known: ListedProcess | undefined): string {
  return known === undefined ? "not listed" : JSON.stringify([known.state, known.name, known.stopReason]);
}

export function useDetail(
  id: string,
  known: ListedProcess | undefined,
  isWanted = true,
): UseQueryResult<ProcessDetail> {
  return useQuery({
    // Also when it is no longer among those that are known: it may have been removed.
    queryKey: ["process", id, lookOf(known)],
    queryFn: ({ signal }) => client.process.get({ id }, { signal }),
    placeholderData: (before) => (before?.id === id ? before : undefined),
    staleTime: 0,
    enabled: isWanted,
  });
}
