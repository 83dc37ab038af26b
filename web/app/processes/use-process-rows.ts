// The processes the table shows, in its order.
import { useDeferredValue, useMemo } from "react";
import type { ListedProcess } from "#protocol/control.ts";
import type { ProcessUsage } from "#protocol/usage.ts";
import type { ProcessMap } from "~/api/processes.ts";
import { matcherOf, type ProcessFilters } from "~/processes/filters.ts";
import { isLive, sortProcesses, type Sort } from "~/processes/sort.ts";

export interface ProcessRowsOptions {
  readonly known: ProcessMap;
  readonly usage: ReadonlyMap<string, ProcessUsage>;
  readonly filters: ProcessFilters;
  readonly sort: Sort;
}

const noUsage: ReadonlyMap<string, ProcessUsage> = new Map();

export function useProcessRows(options: ProcessRowsOptions): readonly ListedProcess[] {
  const { known, usage, sort } = options;
  // Typing is more urgent than the rows it leaves.
  const filters = useDeferredValue(options.filters);
  // Figures matter only to the order by one: else a sample is no reason to sort.
  const figures = isLive(sort) ? usage : noUsage;
  return useMemo(
    () => sortProcesses([...known.values()].filter(matcherOf(filters)), sort, figures),
    [known, filters, sort, figures],
  );
}
