import { checkWatches, findExisting, gateKeys, startProcess, viewProcess } from "../processes/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { admitStart } from "./admit-start.ts";
import type { Handler } from "./context.ts";
import { tellEnds } from "./end-told.ts";
import { requireConfinement } from "./require-confinement.ts";
import { Scope } from "./rights/scope.ts";

/** A child that cannot be executed is an answer, not an error: it has ended with `spawn_failed`. */
export const processStart: Handler<"process.start"> = async (context, call) => {
  const { input, caller } = call;
  if (context.daemon.isStopping) {
    const details = { retryAfterMs: context.daemon.leavesInMs };
    throw new HoldfastError("DAEMON_STOPPING", "The daemon is about to end; nothing was started.", {
      details,
    });
  }
  const session = input.owner.session ?? caller.session ?? input.shell?.session;
  const owner = { ...input.owner, ...(session === undefined ? {} : { session }) };
  const owned = requireConfinement(context, caller, { ...input, owner });
  checkWatches(input.watches, input.mode); // before the process that is replaced is stopped
  await admitStart(context, call, owned);
  const scope = Scope.of(context.processes, caller);
  const answer = await context.gate.pass(gateKeys(owned), async () => {
    const notes: string[] = [];
    const existing = await findExisting(context.processes, owned, {
      notes,
      admit: async (record, right) => await scope?.check(record, right),
    });
    if (existing !== undefined) return { ...viewProcess(existing), created: false, notes };
    const started = await startProcess(context.processes, owned);
    return { ...viewProcess(started.record), created: true, notes: [...notes, ...started.notes] };
  });
  // Any other end that was as quick is told: who starts something looks at its id.
  if (answer.exit?.kind === "spawn_failed") tellEnds(context, call, "process.start", [answer]);
  return answer;
};
