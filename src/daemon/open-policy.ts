// The policy as the daemon puts it together: what verbs ask, and what becomes of its record in time.
import type { BusySources } from "../operations/index.ts";
import { Policy } from "../policy/index.ts";
import type { ProcessContext } from "../processes/index.ts";

const trimMs = 3_600_000;

/** `end` lets go whoever waits for a person; the approvals stay open for the next daemon. */
export function openPolicy(context: ProcessContext, busy: BusySources): { policy: Policy; end: () => void } {
  const { home, store, config, report } = context;
  const policy = new Policy({ home, store, config, report });
  busy.add({ name: "approvals", count: () => policy.waitingCount, holdsDrain: false });
  const trim = (): void => {
    if (store.access === "read-only") return;
    policy.trim(Date.now()).catch((error: unknown) => {
      if (!context.signal.aborted) report("Old entries of the audit log cannot be removed.", error);
    });
  };
  const timer = setInterval(trim, trimMs);
  timer.unref();
  return {
    policy,
    end: () => {
      clearInterval(timer);
      policy.close();
    },
  };
}
