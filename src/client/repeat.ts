// Which requests may be sent a second time, and with what.
import type { OperationInput, OperationName } from "../protocol/operations.ts";
import { verbKinds } from "./verbs.ts";

interface KnownFields {
  readonly idempotencyKey?: unknown;
  readonly writer?: unknown;
  readonly timeoutMs?: unknown;
  readonly waitMs?: unknown;
  readonly approvalWaitMs?: unknown;
}

/**
 * May it be sent again when the first try may have been carried out? A verb that reads; a start with a key; bytes with
 * a writer's sequence; a lock, which its owner gets again; a claim, whose lost lease runs out, and what settles it. A stop of the daemon not: the second one would end its successor.
 */
export function isRepeatable<Name extends OperationName>(name: Name, input: OperationInput<Name>): boolean {
  if (name === "daemon.stop") return false;
  if (verbKinds[name] === "reads") return true;
  const { idempotencyKey, writer } = input as KnownFields; // of other verbs they are undefined
  return (
    (name === "process.start" && idempotencyKey !== undefined) ||
    (name === "process.write" && writer !== undefined) ||
    name === "lock.acquire" ||
    name === "notifications.claim" ||
    name === "notifications.acknowledge" ||
    name === "notifications.release"
  );
}

/** A wait that is asked again waits only for what is left of its time. */
export function inputForRepeat<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  elapsedMs: number,
): OperationInput<Name> {
  const { timeoutMs, waitMs, approvalWaitMs } = input as KnownFields; // as above
  const left = (ms: number, leastMs: number): number => Math.max(leastMs, Math.round(ms - elapsedMs));
  if (name === "process.start") {
    return {
      ...input,
      ...(typeof approvalWaitMs === "number" ? { approvalWaitMs: left(approvalWaitMs, 0) } : {}),
      ...(typeof waitMs === "number" ? { waitMs: left(waitMs, 1) } : {}),
    };
  }
  if ((name === "lock.acquire" || name === "notifications.claim") && typeof waitMs === "number") {
    return { ...input, waitMs: left(waitMs, 0) };
  }
  if (name !== "process.wait" || typeof timeoutMs !== "number") return input;
  return { ...input, timeoutMs: left(timeoutMs, 1) };
}
