// Why a lock is not had, and what to do about it.
import { HoldfastError } from "../protocol/errors.ts";
import type { LockView } from "../protocol/locks.ts";

/** With the owner's record in `details.lock`. */
export function lockHeld(lock: LockView): HoldfastError {
  return new HoldfastError("LOCK_HELD", `the lock ${lock.scope} is held by ${ownerText(lock)}`, {
    hint: hintFor(lock),
    details: { lock },
  });
}

/** `lock`: as it was found; undefined when nobody has it. */
export function lockNotOwned(scope: string, lock: LockView | undefined): HoldfastError {
  const message =
    lock === undefined
      ? `nobody has the lock ${scope}`
      : `the lock ${scope} is not yours: it is held by ${ownerText(lock)}`;
  return new HoldfastError("LOCK_NOT_OWNED", message, { details: { lock: lock ?? null } });
}

function ownerText({ owner, acquiredAt, state }: LockView): string {
  if (owner === null) return "a process that is not known here";
  // As JSON: a program's name may hold anything.
  const command = owner.command === null ? "" : ` (${JSON.stringify(owner.command)})`;
  const where = state === "foreign" ? ` of another PID namespace (${owner.pidNamespace})` : "";
  return `process ${owner.pid}${command}${where} since ${acquiredAt}`;
}

function hintFor({ state, path }: LockView): string {
  switch (state) {
    case "foreign":
      return `Release it in the container that has it. If that container is gone for good, remove ${path}.`;
    case "unknown":
      return `Whether its owner lives cannot be seen from here. If you know that it is gone, remove ${path}.`;
    default:
      return "Wait for it (--wait 10s), or let its owner release it.";
  }
}
