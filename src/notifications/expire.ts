// Nothing stays for ever: notices, delegations that are over, sessions nobody hears of. A notice that somebody was still owed does not
// go without a trace.
import type { NotificationContext } from "./context.ts";

/** Returns how many went that nobody had taken care of. */
export async function expireNotices({ processes }: NotificationContext, nowMs: number): Promise<number> {
  const { keepPendingMs, keepSettledMs } = processes.config().notifications;
  const lost = await processes.store.notices.expire({
    pendingMs: nowMs - keepPendingMs,
    settledMs: nowMs - keepSettledMs,
  });
  await processes.store.delegations.deleteFinished(nowMs - keepSettledMs);
  await processes.store.sessions.deleteInactive(nowMs - keepPendingMs);
  for (const { id, kind, processId, at, route } of lost) {
    const about = processId === null ? "" : ` about ${processId}`;
    const whose = route.session === null ? "" : `, of session ${route.session}`;
    processes.report(
      `Notice ${id} (${kind}${about}${whose}) of ${new Date(at).toISOString()} was kept as long as notifications.keepPendingMs says, and nobody took care of it.`,
      undefined,
      {
        ...(processId === null ? {} : { processId }),
        ...(route.session === null ? {} : { session: route.session }),
      },
    );
  }
  return lost.length;
}
