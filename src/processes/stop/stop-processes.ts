// The verb `stop` for many: one failure does not stop the rest.
import { HoldfastError, isHoldfastError } from "../../protocol/errors.ts";
import type { StopInput, StopResult } from "../../protocol/control.ts";
import type { StopRequester } from "../../protocol/process.ts";
import type { ProcessRecord } from "../../store/index.ts";
import type { ProcessContext } from "../context.ts";
import { matchesSelector } from "../selector.ts";
import { stopProcess } from "./stop-process.ts";

async function selected(context: ProcessContext, input: StopInput): Promise<(ProcessRecord | StopResult)[]> {
  if (input.ids !== undefined)
    return await Promise.all(input.ids.map((reference) => findOrFail(context, reference)));
  const hasSelector = input.session ?? input.task ?? input.profile ?? input.labels;
  if (!input.all && hasSelector === undefined) {
    throw new HoldfastError("INVALID_ARGUMENT", "Nothing says which processes to stop.", {
      hint: "Give ids, a session, a task, labels, or all.",
    });
  }
  return context.registry.live().filter((record) => matchesSelector(record, input));
}

/** One that could not be stopped, among others. */
export function failedStop(id: string, error: unknown): StopResult {
  const known = isHoldfastError(error)
    ? error
    : new HoldfastError("INTERNAL", String(error), { cause: error });
  const { code, message, hint, details } = known;
  return {
    id,
    outcome: "failed",
    killed: 0,
    left: 0,
    killedPids: [],
    error: { code, message, hint, details },
  };
}

async function findOrFail(context: ProcessContext, reference: string): Promise<ProcessRecord | StopResult> {
  try {
    return await context.registry.find(reference);
  } catch (error) {
    return failedStop(reference, error);
  }
}

export async function stopProcesses(
  context: ProcessContext,
  input: StopInput,
  requester: StopRequester,
): Promise<StopResult[]> {
  const { graceMs, noKill } = input;
  return await Promise.all(
    (await selected(context, input)).map(async (item) => {
      if ("outcome" in item) return item;
      try {
        return await stopProcess(context, item, { graceMs, noKill, requester });
      } catch (error) {
        return failedStop(item.id, error);
      }
    }),
  );
}
