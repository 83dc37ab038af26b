// A session that learns how its process ended from an answer need not be told again. Only the session the notice is routed
// to counts: a person who looks swallows nothing.
import type { ProcessView } from "../protocol/process.ts";
import type { OperationName } from "../protocol/operations.ts";
import type { Call, OperationContext } from "./context.ts";

type Asked = Pick<Call<OperationName>, "caller" | "answered">;

/** Keeps the ends of these from being pushed while an answer with them is under way. Call the result when it is over. */
export function holdEnds(
  { notifications }: OperationContext,
  { caller }: Asked,
  records: readonly { readonly id: string; readonly session: string | null }[],
): () => void {
  if (caller.session === undefined) return () => undefined;
  const own = records.filter(({ session }) => session === caller.session);
  const releases = own.map(({ id }) => notifications.outbox.hold(id));
  return () => {
    for (const release of releases) release();
  };
}

/** The answer carries these; once it is out, those that have ended count as seen. */
export function tellEnds(
  context: OperationContext,
  call: Asked,
  verb: OperationName,
  views: readonly ProcessView[],
): void {
  const { outbox } = context.notifications;
  const { session } = call.caller;
  const ended = endedOf(call, views);
  if (session === undefined || ended.length === 0) return;
  const releases = ended.map(({ id }) => outbox.hold(id));
  const settled = whenAnswered(context, call, verb, async () => {
    for (const { id } of ended) await outbox.markEndSeen(id, session, verb);
  });
  void settled.finally(() => {
    for (const release of releases) release();
  });
}

/** The answer shows this one: its session's own list of unread notices need not repeat its end; sinks push it all the same. */
export function showEnd(
  context: OperationContext,
  call: Asked,
  verb: OperationName,
  view: ProcessView,
): void {
  const { session } = call.caller;
  if (session === undefined || endedOf(call, [view]).length === 0) return;
  void whenAnswered(context, call, verb, () =>
    context.notifications.outbox.markEndObserved(view.id, session),
  );
}

function endedOf({ caller }: Asked, views: readonly ProcessView[]): readonly ProcessView[] {
  return views.filter(({ state, owner }) => state === "ended" && owner.session === caller.session);
}

/** An answer that never reaches its caller has told nothing: then the notice stays owed. */
async function whenAnswered(
  { processes }: OperationContext,
  { caller, answered }: Asked,
  verb: OperationName,
  settle: () => Promise<void>,
): Promise<void> {
  try {
    if (await answered()) await settle();
  } catch (error) {
    const about = caller.session === undefined ? {} : { session: caller.session };
    processes.report(`${verb} could not be noted as having told an end.`, error, about);
  }
}
