// A search and where one is among what it found.
import { useEffect, useEffectEvent, useState } from "react";
import { noWish, useSearch, type SearchResults, type SearchWish } from "~/processes/output/use-search.ts";

export interface SearchWalk {
  readonly wish: SearchWish;
  readonly setWish: (wish: SearchWish) => void;
  readonly results: SearchResults | undefined;
  /** Offset of the match that is shown. */
  readonly current: number | undefined;
  readonly walkTo: (offset: number) => void;
  /** To the next one or the one before, around the ends. */
  readonly step: (by: 1 | -1) => void;
}

export function useSearchWalk(id: string, onJump: (offset: number) => void): SearchWalk {
  const [wish, setWish] = useState(noWish);
  const [walked, setWalked] = useState<number>();
  const results = useSearch(id, wish);
  const matches = results?.matches ?? [];
  const first = matches[0]?.matchOffset;
  // Only when something was found: the jump itself changes the address, which must not lead back here.
  const showFirst = useEffectEvent(onJump);
  useEffect(() => {
    if (first !== undefined) showFirst(first);
  }, [first]);
  const current = matches.some(({ matchOffset }) => matchOffset === walked) ? walked : first;
  const walkTo = (offset: number): void => {
    setWalked(offset);
    onJump(offset);
  };
  const step = (by: 1 | -1): void => {
    const at = matches.findIndex(({ matchOffset }) => matchOffset === current);
    const next = matches[(at + by + matches.length) % matches.length];
    if (next !== undefined) walkTo(next.matchOffset);
  };
  return { wish, setWish, results, current, walkTo, step };
}
