// Who is busy with a session, and when a person was last there. Commands that resume an agent wait for both.
import { HoldfastError } from "../protocol/errors.ts";
import type { SessionView } from "../protocol/sessions.ts";
import type { SessionRecord } from "../store/index.ts";
import type { NotificationContext } from "./context.ts";

const nobody: Omit<SessionRecord, "key" | "activeAt"> = {
  busyBy: null,
  busyUntil: null,
  resumptions: 0,
  barrier: null,
  cwd: null,
};

const sinkPrefix = "sink:";

/** What notices of no session count as, so that a command which resumes somebody all the same is bounded too. */
export function keyOfSink(name: string): string {
  return `${sinkPrefix}${name}`;
}

function sinkOfKey(session: string): string | undefined {
  return session.startsWith(sinkPrefix) ? session.slice(sinkPrefix.length) : undefined;
}

export function isBusy({ busyUntil }: Pick<SessionRecord, "busyUntil">, nowMs: number): boolean {
  return busyUntil !== null && busyUntil > nowMs;
}

/** @throws HoldfastError SESSION_BUSY: somebody else is */
export async function markBusy(
  context: NotificationContext,
  session: string,
  by: string,
  leaseMs: number,
  nowMs: number = Date.now(),
): Promise<SessionView> {
  const { sessions } = context.processes.store;
  if (await sessions.takeBusy(session, { by, untilMs: nowMs + leaseMs, nowMs }))
    return await viewSession(context, session, nowMs);
  const found = await sessions.get(session);
  const until = new Date(found?.busyUntil ?? nowMs).toISOString();
  const who = found?.busyBy ?? "Somebody";
  throw new HoldfastError("SESSION_BUSY", `${who} is busy with session ${session} until ${until}.`, {
    details: { by: found?.busyBy, until },
  });
}

/** Without a name: whoever it was. With one, only its own lease. */
export async function markIdle(
  context: NotificationContext,
  session: string,
  by: string | undefined,
  nowMs: number = Date.now(),
): Promise<SessionView> {
  const { sessions } = context.processes.store;
  const found = await sessions.get(session);
  const isOurs = by === undefined || found?.busyBy === by;
  await sessions.change(session, isOurs ? { busyBy: null, busyUntil: null } : {}, nowMs);
  await context.processes.store.deliveries.hurry(session, nowMs);
  context.outbox.wake();
  return await viewSession(context, session, nowMs);
}

/** A person is there: resumptions are counted anew, and what was kept back or given up is tried again. */
export async function attendSession(
  context: NotificationContext,
  session: string,
  nowMs: number = Date.now(),
): Promise<SessionView & { readonly replayed: number }> {
  const { sessions, deliveries } = context.processes.store;
  await sessions.change(session, { resumptions: 0 }, nowMs);
  const sink = sinkOfKey(session);
  const replayed = await deliveries.retry(sink === undefined ? { session } : { sink, session: null }, nowMs);
  context.outbox.wake();
  return { ...(await viewSession(context, session, nowMs)), replayed };
}

export async function viewSession(
  { processes }: NotificationContext,
  session: string,
  nowMs: number,
): Promise<SessionView> {
  const found = (await processes.store.sessions.get(session)) ?? { key: session, activeAt: nowMs, ...nobody };
  const busy = isBusy(found, nowMs);
  return {
    session,
    activeAt: new Date(found.activeAt).toISOString(),
    busy,
    busyBy: busy ? found.busyBy : null,
    busyUntil: busy && found.busyUntil !== null ? new Date(found.busyUntil).toISOString() : null,
    resumptions: found.resumptions,
  };
}
