// Everything about a session: who is busy with it, what runs for it, what its shell remembers, when it ends.
import { viewSession } from "../notifications/index.ts";
import { endsAt, endsWith } from "../processes/index.ts";
import type { SessionDetail } from "../protocol/sessions.ts";
import type { OperationContext } from "./context.ts";

/** Of variables only the names: whoever may see a session need not see what it exports. */
function shellOf(
  { processes }: OperationContext,
  session: string,
  cwd: string | null,
): SessionDetail["shell"] {
  const state = processes.shells.get(session);
  if (state === undefined) return cwd === null ? null : { cwd, set: [], unset: [] };
  const { set, unset } = state.variables;
  return { cwd: state.cwd ?? cwd, set: [...set.keys()].toSorted(), unset: [...unset].toSorted() };
}

export async function describeSession(
  context: OperationContext,
  session: string,
  nowMs: number = Date.now(),
): Promise<SessionDetail> {
  const { notifications, processes } = context;
  const record = await processes.store.sessions.get(session);
  const live = processes.registry.live().filter((process) => process.session === session);
  // One that is only known by its processes was last heard of when the newest of them came.
  const newest = Math.max(0, ...live.map(({ createdAt }) => createdAt));
  const known = record ?? { key: session, activeAt: newest, busyUntil: null };
  const ends = endsAt(processes, known);
  const heardAt = Math.max(known.activeAt, processes.activity.heardAt(session) ?? 0);
  return {
    ...(await viewSession(notifications, session, nowMs)),
    activeAt: new Date(heardAt).toISOString(),
    endsAt: ends === undefined ? null : new Date(ends).toISOString(),
    running: live.length,
    endWithIt: live.filter((process) => endsWith(process, session)).length,
    shell: shellOf(context, session, record?.cwd ?? null),
  };
}

/** Keys of the sessions that have not ended, the last active first. */
export async function openSessions({ processes }: OperationContext): Promise<string[]> {
  const stored = (await processes.store.sessions.open()).map(({ key }) => key);
  const live = processes.registry.live().flatMap(({ session }) => (session === null ? [] : [session]));
  return [...new Set([...stored, ...live])];
}
