// A lock as it is told.
import type { LockView } from "../protocol/locks.ts";
import type { LockKey } from "./lock-key.ts";
import { isStale } from "./owner.ts";
import type { FoundClaim } from "./read-lock.ts";

export function viewOf(key: LockKey, path: string, claim: FoundClaim): LockView {
  const { owner, state, meta, acquiredAt, updatedAt } = claim;
  return {
    scope: key.scope,
    identityHash: key.identityHash,
    owner,
    state,
    stale: isStale(state),
    meta: { ...meta },
    acquiredAt,
    updatedAt,
    path,
  };
}
