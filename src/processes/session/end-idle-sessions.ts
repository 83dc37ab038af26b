// Ends sessions that nobody has been connected to for as long as the configuration says.
import type { ProcessContext } from "../context.ts";
import { endSession } from "./end-session.ts";

// A session may end so much later than it could.
const mostBetweenMs = 60_000;
const leastBetweenMs = 100;

/** Undefined: not by itself, or not while somebody is connected or busy. */
export function endsAt(
  { activity, config }: ProcessContext,
  {
    key,
    activeAt,
    busyUntil,
  }: { readonly key: string; readonly activeAt: number; readonly busyUntil: number | null },
): number | undefined {
  const { endAfterMs } = config().sessions;
  if (endAfterMs === 0 || activity.isConnected(key)) return undefined;
  // A busy session is worked on until its lease is over.
  const lastThere = Math.max(activeAt, activity.heardAt(key) ?? 0, busyUntil ?? 0);
  return Math.max(lastThere + endAfterMs, activity.graceUntil);
}

async function idleSessions(context: ProcessContext, nowMs: number): Promise<string[]> {
  const known = await context.store.sessions.open();
  const keys = new Set(known.map(({ key }) => key));
  // Of a store that knew no sessions yet, or was made anew from the run directories.
  const unknown = context.registry
    .live()
    .flatMap(({ session, lifetime, createdAt }) =>
      session === null || lifetime !== "session" || keys.has(session)
        ? []
        : [{ key: session, activeAt: createdAt, busyUntil: null }],
    );
  return [...known, ...unknown]
    .filter((session) => (endsAt(context, session) ?? Infinity) <= nowMs)
    .map(({ key }) => key);
}

export async function endIdleSessions(
  context: ProcessContext,
  nowMs: number = Date.now(),
): Promise<string[]> {
  if (context.config().sessions.endAfterMs === 0 || context.store.access !== "read-write") return [];
  const ended = [...new Set(await idleSessions(context, nowMs))];
  for (const session of ended)
    await endSession(context, session, { requester: { verb: "sessions.endAfterMs", session } });
  return ended;
}

/** Returns how to stop. */
export function endIdleSessionsRegularly(context: ProcessContext): () => void {
  let timer: NodeJS.Timeout;
  const next = (): void => {
    const { endAfterMs } = context.config().sessions;
    const between = endAfterMs === 0 ? mostBetweenMs : Math.min(mostBetweenMs, endAfterMs / 10);
    timer = setTimeout(
      () => {
        endIdleSessions(context)
          .catch((error: unknown) => context.report("Idle sessions cannot be ended.", error))
          .finally(() => context.signal.aborted || next());
      },
      Math.max(leastBetweenMs, between),
    );
    timer.unref();
  };
  next();
  return () => clearTimeout(timer);
}
