// The filters as somebody sets them. The address follows: it comes back later than the next key, so what is typed never waits for it.
import { useState } from "react";
import { NavigationType, useLocation, useNavigationType, useSearchParams } from "react-router";
import { readFilters, writeFilters, type ProcessFilters } from "~/processes/filters.ts";

export function useFilters(): readonly [ProcessFilters, (filters: ProcessFilters) => void] {
  const [search, setSearch] = useSearchParams();
  const { key } = useLocation();
  const navigation = useNavigationType();
  const [filters, setFilters] = useState(() => readFilters(search));
  const [seen, setSeen] = useState(key);
  if (key !== seen) {
    setSeen(key);
    // This page replaces its address; whoever follows a link or goes back adds to the history, or moves in it.
    if (navigation !== NavigationType.Replace) setFilters(readFilters(search));
  }
  const change = (next: ProcessFilters): void => {
    setFilters(next);
    setSearch((before) => writeFilters(before, next), { replace: true });
  };
  return [filters, change];
}
