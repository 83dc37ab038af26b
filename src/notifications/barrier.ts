// The wait barrier of a session: one thing it waits for before it goes on. Satisfied by the end, by a match of that process, or by
// time. Whatever cannot be known is not waiting: a stale barrier never holds anybody.
import { z } from "zod";
import { HoldfastError } from "../protocol/errors.ts";
import type { BarrierView } from "../protocol/sessions.ts";
import { identityOf, probeProcess } from "../util/process-identity.ts";
import type { NotificationContext } from "./context.ts";

const identitySchema = z.object({
  pid: z.int(),
  startTime: z.number(),
  bootId: z.string(),
  pidNamespace: z.string(),
});
const storedSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("process"), setAtMs: z.number(), processId: z.string() }),
  z.object({ kind: z.literal("pid"), setAtMs: z.number(), identity: identitySchema }),
  z.object({ kind: z.literal("until"), setAtMs: z.number(), untilMs: z.number() }),
]);
type Stored = z.infer<typeof storedSchema>;

export type BarrierTarget =
  | { readonly process: string }
  | { readonly pid: number }
  | { readonly until: string };

/** @throws HoldfastError PROCESS_NOT_FOUND, PROCESS_AMBIGUOUS, INVALID_ARGUMENT for a pid that is not there */
export async function setBarrier(
  context: NotificationContext,
  session: string,
  target: BarrierTarget,
  nowMs: number = Date.now(),
): Promise<BarrierView> {
  const barrier = await storedFrom(context, target, nowMs);
  await context.processes.store.sessions.change(session, { barrier }, nowMs);
  return await getBarrier(context, session, nowMs);
}

export async function getBarrier(
  context: NotificationContext,
  session: string,
  nowMs: number = Date.now(),
): Promise<BarrierView> {
  const found = await context.processes.store.sessions.get(session);
  const barrier = found?.barrier ?? null;
  if (barrier === null) return { session, waiting: false, reason: "no barrier is set", barrier: null };
  const stored = storedSchema.safeParse(barrier);
  const state = stored.success
    ? await stateOf(context, stored.data, nowMs)
    : { waiting: false, reason: "the barrier cannot be read" };
  if (!state.waiting) await forget(context, session, barrier);
  return { session, ...state, barrier: stored.success ? viewOf(stored.data) : null };
}

/** Satisfied is satisfied: it is not asked a second time. A store that cannot be written must not make anybody wait. */
async function forget(
  { processes }: NotificationContext,
  session: string,
  barrier: Readonly<Record<string, unknown>>,
): Promise<void> {
  try {
    await processes.store.sessions.dropBarrier(session, barrier);
  } catch (error) {
    processes.report(`That the barrier of ${session} is satisfied cannot be stored.`, error, { session });
  }
}

/** False if there was none. */
export async function clearBarrier(
  { processes }: NotificationContext,
  session: string,
  nowMs: number = Date.now(),
): Promise<boolean> {
  const found = await processes.store.sessions.get(session);
  if ((found?.barrier ?? null) === null) return false;
  await processes.store.sessions.change(session, { barrier: null }, nowMs);
  return true;
}

async function storedFrom(
  { processes }: NotificationContext,
  target: BarrierTarget,
  nowMs: number,
): Promise<Stored> {
  if ("until" in target) return { kind: "until", setAtMs: nowMs, untilMs: Date.parse(target.until) };
  if ("pid" in target) {
    const identity = identityOf(target.pid);
    if (identity !== undefined) return { kind: "pid", setAtMs: nowMs, identity };
    throw new HoldfastError("INVALID_ARGUMENT", `There is no process ${target.pid} to wait for.`);
  }
  const { id } = await processes.registry.find(target.process);
  return { kind: "process", setAtMs: nowMs, processId: id };
}

type State = Pick<BarrierView, "waiting" | "reason">;

async function stateOf({ processes }: NotificationContext, barrier: Stored, nowMs: number): Promise<State> {
  switch (barrier.kind) {
    case "until": {
      // A clock that was set back must not hold a session for longer than was meant.
      const isOver = nowMs >= barrier.untilMs || nowMs < barrier.setAtMs;
      return isOver
        ? { waiting: false, reason: "the time has come" }
        : { waiting: true, reason: `it is not yet ${new Date(barrier.untilMs).toISOString()}` };
    }
    case "pid": {
      const liveness = probeProcess(barrier.identity);
      const isThere = liveness === "running" || liveness === "stopped";
      return {
        waiting: isThere,
        reason: `process ${barrier.identity.pid} is ${isThere ? liveness : "not there"}`,
      };
    }
    default: {
      const record = await processes.registry.get(barrier.processId);
      if (record === undefined) return { waiting: false, reason: `${barrier.processId} is not known` };
      if (record.state === "ended") return { waiting: false, reason: `${record.id} has ended` };
      const hits = await processes.store.processes.watchHits(record.id);
      if (hits > 0) return { waiting: false, reason: `${record.id} wrote what is watched for` };
      return { waiting: true, reason: `${record.id} is ${record.state}` };
    }
  }
}

function viewOf(barrier: Stored): BarrierView["barrier"] {
  const target =
    barrier.kind === "process"
      ? barrier.processId
      : barrier.kind === "pid"
        ? String(barrier.identity.pid)
        : new Date(barrier.untilMs).toISOString();
  return { kind: barrier.kind, target, setAt: new Date(barrier.setAtMs).toISOString() };
}
