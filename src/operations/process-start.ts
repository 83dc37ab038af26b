import { checkWatches, findExisting, gateKeys, startProcess, viewProcess } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import type { StartOutput } from "../protocol/process.ts";
import { admitStart } from "./admit-start.ts";
import type { Call, Handler, OperationContext } from "./context.ts";
import { tellEnds } from "./end-told.ts";
import { requireConfinement } from "./require-confinement.ts";
import { Scope } from "./rights/scope.ts";
import { waitAndTell } from "./wait-and-tell.ts";

/** A child that cannot be executed is an answer, not an error: it has ended with `spawn_failed`. */
export const processStart: Handler<"process.start"> = async (context, call) => {
  const { caller } = call;
  // How long its caller waits is no part of what is started.
  const { waitMs, ...input } = call.input;
  if (context.daemon.isStopping) {
    const details = { retryAfterMs: context.daemon.leavesInMs };
    throw new HoldfastError("DAEMON_STOPPING", "The daemon is about to end; nothing was started.", {
      details,
    });
  }
  const session = input.owner.session ?? caller.session ?? input.shell?.session;
  const owner = { ...input.owner, ...(session === undefined ? {} : { session }) };
  const owned = requireConfinement(context, caller, { ...input, owner });
  checkWatches(input.watches, input.mode); // before a person is asked
  await admitStart(context, call, owned);
  const scope = Scope.of(context.processes, caller);
  const answer = await context.gate.pass(gateKeys(owned), async () => {
    const { found, replaces } = await findExisting(
      context.processes,
      owned,
      async (record, right) => await scope?.check(record, right),
    );
    if (found !== undefined) return { ...viewProcess(found), created: false, notes: [] };
    const { record, notes } = await startProcess(context.processes, owned, replaces);
    return { ...viewProcess(record), created: true, notes: [...notes] };
  });
  if (waitMs !== undefined) return await withEnd(context, call, answer, waitMs);
  // Any other end that was as quick is told: who starts something looks at its id.
  if (answer.exit?.kind === "spawn_failed") tellEnds(context, call, "process.start", [answer]);
  return answer;
};

/** The answer as it is when the process has ended, or when there is no more time. */
async function withEnd(
  context: OperationContext,
  call: Call<"process.start">,
  answer: StartOutput,
  waitMs: number,
): Promise<StartOutput> {
  const { id, owner } = answer;
  const { results, clampedTimeoutMs } = await waitAndTell(context, call, {
    verb: "process.start",
    input: { ids: [id], for: { kind: "exit" }, mode: "all", timeoutMs: waitMs },
    records: [{ id, session: owner.session ?? null }],
  });
  const notes = [...answer.notes];
  if (clampedTimeoutMs !== undefined)
    notes.push(`waitMs was clamped to ${clampedTimeoutMs}, which is the most that is allowed (wait.maxMs).`);
  return { ...answer, ...results[0]?.process, notes };
}
