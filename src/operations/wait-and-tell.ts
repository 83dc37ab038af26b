import { waitFor } from "../processes/index.ts";
import type { OperationName } from "../protocol/operations.ts";
import type { WaitInput, WaitOutput } from "../protocol/wait.ts";
import type { ProcessRecord } from "../store/index.ts";
import type { Call, OperationContext } from "./context.ts";
import { holdEnds, tellEnds } from "./end-told.ts";

export interface ToldWait {
  /** Whose answer carries what the wait brings. */
  readonly verb: OperationName;
  readonly input: WaitInput;
  /** Those whose end is answered as soon as it comes: it is not pushed meanwhile. */
  readonly records: readonly Pick<ProcessRecord, "id" | "session">[];
}

/** A wait that leaves the processes alone, whatever ends it. The ends in its answer count as seen once that is out. */
export async function waitAndTell(
  context: OperationContext,
  call: Pick<Call<OperationName>, "caller" | "signal" | "answered">,
  { verb, input, records }: ToldWait,
): Promise<WaitOutput> {
  const release = holdEnds(context, call, records);
  const wait = context.interrupts.begin(call.caller.session);
  try {
    const { signal } = call;
    const output = await waitFor(context.processes, input, { signal, interrupted: wait.signal });
    const views = output.results.map((result) => result.process);
    tellEnds(context, call, verb, views);
    return output;
  } finally {
    release();
    wait.done();
  }
}
