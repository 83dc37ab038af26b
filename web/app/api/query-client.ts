// What is asked for and not told by events: one rule for all queries.
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { HoldfastError } from "#protocol/errors.ts";
import { isSignedOut } from "~/api/client.ts";
import { setConnection } from "~/api/connection.ts";

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isSignedOut(error)) setConnection("signed-out");
    },
  }),
  defaultOptions: {
    queries: {
      // The client itself waits for a daemon that is away; what the daemon refused it refuses again.
      retry: (count, error) => error instanceof HoldfastError && error.retryable && count < 3,
      refetchOnWindowFocus: false,
      staleTime: 5_000,
    },
  },
});
