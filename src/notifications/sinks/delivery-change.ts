// What becomes of a delivery after an attempt.
import { isHoldfastError } from "../../protocol/errors.ts";
import type { DeliveryChange } from "../../store/index.ts";
import type { DeliveryOutcome } from "./sink.ts";

export interface ChangeOptions {
  readonly scheduleMs: readonly number[];
  readonly nowMs: number;
  /** 0 to 1. */
  readonly random: () => number;
}

// Part of a pause that is left to chance.
const spread = 0.2;
const crowdedMs = 5_000;

export function changeFor(
  outcome: DeliveryOutcome,
  attemptsBefore: number,
  { scheduleMs, nowMs, random }: ChangeOptions,
): DeliveryChange {
  const attempts = attemptsBefore + 1;
  switch (outcome.kind) {
    case "delivered":
      return { state: "delivered", attempts, nextAt: nowMs, lastError: null };
    case "defer":
      return {
        state: "pending",
        attempts: attemptsBefore,
        nextAt: nowMs + outcome.afterMs,
        lastError: null,
      };
    case "needs_person":
      return { state: "needs_person", attempts, nextAt: nowMs, lastError: outcome.error };
    case "retry": {
      const pauseMs = scheduleMs[attempts - 1];
      if (pauseMs === undefined) return { state: "dead", attempts, nextAt: nowMs, lastError: outcome.error };
      const spreadMs = Math.round(pauseMs * (1 + spread * random()));
      const nextAt = nowMs + Math.max(spreadMs, outcome.afterMs ?? 0);
      return { state: "pending", attempts, nextAt, lastError: outcome.error };
    }
    default:
      return { state: "dead", attempts, nextAt: nowMs, lastError: outcome.error };
  }
}

/** An attempt that could not even be made. A full machine or a daemon that goes is nobody's fault, and passes. */
export function outcomeOfError(error: unknown): DeliveryOutcome {
  if (isHoldfastError(error, "TOO_MANY_PROCESSES", "DAEMON_STOPPING", "STORE_FULL", "STORE_READ_ONLY"))
    return { kind: "defer", afterMs: crowdedMs };
  return { kind: "retry", error: error instanceof Error ? error.message : String(error) };
}
