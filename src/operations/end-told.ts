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
  { notifications, processes }: OperationContext,
  { caller, answered }: Asked,
  verb: OperationName,
  views: readonly ProcessView[],
): void {
  const { session } = caller;
  if (session === undefined) return;
  const ended = views.filter(({ state, owner }) => state === "ended" && owner.session === session);
  if (ended.length === 0) return;
  const { outbox } = notifications;
  const releases = ended.map(({ id }) => outbox.hold(id));
  const settle = async (): Promise<void> => {
    if (!(await answered())) return; // it never reached its caller: the notice stays owed
    for (const { id } of ended) await outbox.markEndSeen(id, session, verb);
  };
  settle()
    .catch((error: unknown) => processes.report(`${verb} could not be noted as having told an end.`, error))
    .finally(() => {
      for (const release of releases) release();
    });
}
