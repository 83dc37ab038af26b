// Ending one process with its whole tree.
import { isHoldfastError } from "../../protocol/errors.ts";
import type { StopResult } from "../../protocol/control.ts";
import type { StopRequester } from "../../protocol/process.ts";
import type { StopReason } from "../../protocol/exit.ts";
import type { ProcessRecord } from "../../store/index.ts";
import { keptProcess, type ProcessContext } from "../context.ts";
import type { ProcessRegistry } from "../registry.ts";
import { viewProcess } from "../view.ts";

export interface StopChoice {
  /** Default: what it was started with, else as configured. */
  readonly graceMs?: number | undefined;
  readonly noKill?: boolean;
  readonly reason?: StopReason;
  readonly requester?: StopRequester;
}

/** False: it has ended since it was looked at. */
async function requestStop(
  registry: ProcessRegistry,
  id: string,
  { requester }: StopChoice,
): Promise<boolean> {
  try {
    await registry.apply(id, "stop_requested", requester === undefined ? {} : { stopRequester: requester });
    return true;
  } catch (error) {
    if (isHoldfastError(error, "INVALID_TRANSITION")) return false;
    throw error;
  }
}

/** Says what really happened. An ended process with living descendants is stopped too. */
export async function stopProcess(
  context: ProcessContext,
  record: ProcessRecord,
  choice: StopChoice,
): Promise<StopResult> {
  const { registry } = context;
  const { id } = record;
  const wasEnded = record.state === "ended" || !(await requestStop(registry, id, choice));
  const kept = keptProcess(context, id);
  try {
    const result = await kept.stop({
      graceMs: choice.graceMs ?? record.spec.limits.graceMs ?? context.config().stop.graceMs,
      noKill: choice.noKill ?? false,
      reason: choice.reason ?? "user",
      by: JSON.stringify(choice.requester ?? {}),
    });
    const { killed, left, killedPids } = result;
    if (result.outcome === "still_there") {
      const after = await registry.apply(id, "stop_given_up");
      return {
        id,
        outcome: "still_running",
        killed,
        left,
        killedPids: [...killedPids],
        process: viewProcess(after),
      };
    }
    const after = await registry.ended(id);
    const outcome = result.outcome === "had_ended" ? "already_ended" : killed > 0 ? "killed" : "ended";
    return { id, outcome, killed, left, killedPids: [...killedPids], process: viewProcess(after) };
  } catch (error) {
    // Its directory is gone: then it has ended, and whoever removed it knew.
    if (wasEnded && isHoldfastError(error, "RUN_NOT_FOUND")) {
      return {
        id,
        outcome: "already_ended",
        killed: 0,
        left: 0,
        killedPids: [],
        process: viewProcess(record),
      };
    }
    throw error;
  } finally {
    kept.close();
  }
}
