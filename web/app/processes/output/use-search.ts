// Finding lines in the whole log of a process: the daemon looks, this asks and keeps what it found.
import { useEffect } from "react";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { SearchMatch } from "#protocol/search.ts";
import { client } from "~/api/client.ts";

export interface SearchWish {
  readonly text: string;
  /** A regular expression (RE2), not plain text. */
  readonly isPattern: boolean;
  readonly isCaseSensitive: boolean;
}

export const noWish: SearchWish = { text: "", isPattern: false, isCaseSensitive: false };

const matchesPerAnswer = 200;
// A long log is looked at in steps: what was found is shown, and one may stop at any time.
const stepMs = 1_000;

export function patternOf({ text, isPattern, isCaseSensitive }: SearchWish): string {
  const pattern = isPattern ? text : text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return isCaseSensitive ? pattern : `(?i)${pattern}`;
}

export interface SearchResults {
  readonly matches: readonly SearchMatch[];
  readonly isSearching: boolean;
  /** How far it has come. */
  readonly lookedAt: number;
  readonly hasMore: boolean;
  readonly error: Error | null;
  readonly more: () => void;
}

/** Undefined while nothing is looked for. */
export function useSearch(id: string, wish: SearchWish): SearchResults | undefined {
  const found = useInfiniteQuery({
    queryKey: ["search", id, wish],
    queryFn: ({ signal, pageParam }) =>
      client.process.search(
        { id, regex: patternOf(wish), from: pageParam, limit: matchesPerAnswer, timeMs: stepMs },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: wish.text !== "",
    retry: false,
    // A log that grows has more to find each time.
    staleTime: 0,
    gcTime: 0,
  });
  const { hasNextPage, isFetching, isError, fetchNextPage } = found;
  const last = found.data?.pages.at(-1);
  const isUnfinished = hasNextPage && (last?.matches.length ?? 0) < matchesPerAnswer;
  useEffect(() => {
    if (isUnfinished && !isFetching && !isError) void fetchNextPage();
  }, [isUnfinished, isFetching, isError, fetchNextPage]);
  if (wish.text === "") return undefined;
  return {
    matches: found.data?.pages.flatMap(({ matches }) => matches) ?? [],
    isSearching: isFetching || isUnfinished,
    lookedAt: last?.next ?? 0,
    hasMore: hasNextPage,
    error: found.error,
    more: () => void fetchNextPage(),
  };
}
