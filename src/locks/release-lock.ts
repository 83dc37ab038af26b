// Gives locks back. Only their owner can: whoever was replaced must not release its successor's.
import { join } from "node:path";
import { isHoldfastError } from "../protocol/errors.ts";
import type { LockOwner, LockView } from "../protocol/locks.ts";
import { removeClaim, removeIfEmpty } from "./change-lock.ts";
import { lockDirectory } from "./lock-directory.ts";
import { lockKey, nameOf } from "./lock-key.ts";
import { everyLock } from "./list-locks.ts";
import { isSameOwner, namedOwner } from "./owner.ts";
import { readLock, type FoundClaim } from "./read-lock.ts";
import { lockNotOwned } from "./refusal.ts";
import { systemError } from "./system-error.ts";
import { viewOf } from "./view.ts";

export interface ReleaseOptions {
  readonly scope: string;
  readonly identity: string;
  readonly owner: LockOwner;
  readonly directory?: string | undefined;
}

/** @throws HoldfastError LOCK_NOT_OWNED, INVALID_ARGUMENT, SYSTEM_ERROR */
export async function releaseLock(options: ReleaseOptions): Promise<LockView> {
  const { scope, identity, owner, directory = lockDirectory() } = options;
  const key = lockKey(scope, identity);
  const path = join(directory, nameOf(key));
  const { claims } = await readLock(path);
  const own = claims.find((claim) => isOf(claim, owner));
  if (own !== undefined && (await remove(path, own))) return viewOf(key, path, own);
  const [other] = claims.filter((claim) => claim !== own);
  throw lockNotOwned(scope, other === undefined ? undefined : viewOf(key, path, other));
}

export interface ReleaseAllOptions {
  /** A number: the process that has it now, or what the one left that had it. */
  readonly owner: LockOwner | number;
  readonly directory?: string | undefined;
}

/** Every lock of one owner. @throws HoldfastError LOCK_OWNER_REFUSED, SYSTEM_ERROR */
export async function releaseAllLocks(options: ReleaseAllOptions): Promise<LockView[]> {
  const { owner, directory = lockDirectory() } = options;
  const isOwned =
    typeof owner === "number" ? ownedByNumber(owner) : (claim: FoundClaim) => isOf(claim, owner);
  const released: LockView[] = [];
  for await (const { key, path, claim } of everyLock(directory)) {
    if (isOwned(claim) && (await remove(path, claim))) released.push(viewOf(key, path, claim));
  }
  return released;
}

function ownedByNumber(pid: number): (claim: FoundClaim) => boolean {
  try {
    const owner = namedOwner(pid);
    return (claim) => isOf(claim, owner);
  } catch (error) {
    if (!isHoldfastError(error, "LOCK_OWNER_REFUSED") || error.details["reason"] !== "gone") throw error;
    return (claim) => isLeftBy(claim, pid);
  }
}

function isOf({ owner }: FoundClaim, wanted: LockOwner): boolean {
  return owner !== null && isSameOwner(owner, wanted);
}

function isLeftBy({ owner, state }: FoundClaim, pid: number): boolean {
  return owner?.pid === pid && state === "gone";
}

async function remove(path: string, { nonce }: FoundClaim): Promise<boolean> {
  try {
    const isRemoved = await removeClaim(path, nonce);
    await removeIfEmpty(path);
    return isRemoved;
  } catch (error) {
    throw systemError(error, path);
  }
}
