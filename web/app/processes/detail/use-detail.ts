// Everything about one process: what costs a look is asked for when the process changed, or when somebody comes back to it.
import { useEffect } from "react";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessDetail } from "#protocol/process.ts";
import { client } from "~/api/client.ts";

export function useDetail(id: string, known: ListedProcess | undefined): UseQueryResult<ProcessDetail> {
  const queries = useQueryClient();
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ["process", id] });
    // Also when it is no longer among those that are known: it may have been removed.
  }, [queries, id, known]);
  return useQuery({
    queryKey: ["process", id],
    queryFn: ({ signal }) => client.process.get({ id }, { signal }),
  });
}
