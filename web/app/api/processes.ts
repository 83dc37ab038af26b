// All processes as they are now: the list once, then every event after its cursor. Components read the store; nothing polls.
import type { ListedProcess } from "#protocol/control.ts";
import { applyEvent } from "~/api/apply-event.ts";
import { client, isSignedOut } from "~/api/client.ts";
import { setConnection } from "~/api/connection.ts";
import { createStore } from "~/util/store.ts";

export type ProcessMap = ReadonlyMap<string, ListedProcess>;

/** Undefined until the first list is here. */
export const processes = createStore<ProcessMap | undefined>(undefined);

const mostListed = 10_000;

/** Follows the daemon until the signal fires. Comes back by cursor; a cursor too old means a new list. */
export async function followProcesses(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const { processes: listed, cursor } = await client.process.list({ limit: mostListed }, { signal });
      processes.set(new Map(listed.map((process) => [process.id, process])));
      setConnection("connected");
      await applyEvents(cursor, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isSignedOut(error)) {
        setConnection("signed-out");
        return;
      }
      throw error;
    }
  }
}

/** Returns when the daemon no longer has the events that follow the last one seen. */
async function applyEvents(after: number, signal: AbortSignal): Promise<void> {
  let changed: Map<string, ListedProcess> | undefined;
  const show = (): void => {
    if (changed !== undefined) processes.set(changed);
    changed = undefined;
  };
  for await (const event of client.events({ after, signal })) {
    if (event.kind === "events.trimmed") return;
    if (changed === undefined) {
      changed = new Map(processes.get());
      // Many events of one moment are one change on the screen.
      requestAnimationFrame(show);
    }
    applyEvent(changed, event);
  }
}
