// Live figures, followed only while something on the page shows them, because only then the daemon looks.
import { useEffect } from "react";
import { client, isSignedOut } from "~/api/client.ts";
import { setConnection } from "~/api/connection.ts";
import { noUsage, withUpdate, type Usage } from "~/api/usage-state.ts";
import { showError } from "~/ui/toasts.tsx";
import { createStore, useStore } from "~/util/store.ts";

const usage = createStore<Usage>(noUsage);
export function currentUsage(): Usage {
  return usage.get();
}

let followers = 0;
let leaving: AbortController | undefined;

async function follow(signal: AbortSignal): Promise<void> {
  try {
    for await (const update of client.usage({ signal })) usage.set(withUpdate(usage.get(), update));
  } catch (error) {
    if (signal.aborted) return;
    if (isSignedOut(error)) setConnection("signed-out");
    else showError("Live figures are no longer followed", error);
  }
}

export function useUsage(): Usage {
  useEffect(() => {
    followers += 1;
    if (followers === 1) {
      leaving = new AbortController();
      void follow(leaving.signal);
    }
    return () => {
      followers -= 1;
      if (followers === 0) leaving?.abort();
    };
  }, []);
  return useStore(usage);
}
