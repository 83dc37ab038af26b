// The end of a session, for good: explicitly, or because nobody has been there for long.
import type { StopResult } from "../../protocol/control.ts";
import type { StopRequester } from "../../protocol/process.ts";
import type { ProcessRecord } from "../../store/index.ts";
import type { ProcessContext } from "../context.ts";
import { stopProcess } from "../stop/stop-process.ts";
import { failedStop } from "../stop/stop-processes.ts";

export interface EndChoice {
  readonly graceMs?: number | undefined;
  readonly requester: StopRequester;
}

export interface EndedSession {
  readonly results: StopResult[];
  readonly shellForgotten: boolean;
}

export function endsWith(record: ProcessRecord, session: string): boolean {
  return record.session === session && record.lifetime === "session";
}

/** Its row last: whoever is interrupted here ends it again. Notices and other processes stay. */
export async function endSession(
  context: ProcessContext,
  session: string,
  { graceMs, requester }: EndChoice,
): Promise<EndedSession> {
  const { registry, shells, store, activity } = context;
  const shellForgotten = shells.forget(session);
  const records = registry.live().filter((record) => endsWith(record, session));
  const choice = { graceMs, reason: "lifetime", requester } as const;
  const results = await Promise.all(
    records.map(async (record) => {
      try {
        return await stopProcess(context, record, choice);
      } catch (error) {
        return failedStop(record.id, error);
      }
    }),
  );
  await store.cursors.deleteOf(session);
  await store.shares.deleteOf(session);
  await store.sessions.end(session, Date.now());
  activity.forget(session);
  return { results, shellForgotten };
}
