// Takes a lock for an owner, or tells who has it.
import { join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import { metaProblem, mostLockWaitMs } from "../protocol/lock-limits.ts";
import type { LockAcquired, LockOwner, LockView } from "../protocol/locks.ts";
import * as change from "./change-lock.ts";
import type { Meta } from "./claim.ts";
import { lockDirectory, openLockDirectory } from "./lock-directory.ts";
import { lockKey, nameOf, type LockKey } from "./lock-key.ts";
import { LockWatch } from "./lock-watch.ts";
import { isSameOwner, isStale, stateOf } from "./owner.ts";
import { readLock, type FoundClaim, type FoundLock } from "./read-lock.ts";
import { lockHeld } from "./refusal.ts";
import { systemError } from "./system-error.ts";
import { viewOf } from "./view.ts";

export interface AcquireOptions {
  readonly scope: string;
  readonly identity: string;
  readonly owner: LockOwner;
  /** Takes the place of what was there; default: what was there stays. */
  readonly meta?: Meta | undefined;
  /** How long to wait while another has it; default: not at all. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default: as the environment says. */
  readonly directory?: string | undefined;
}

type Attempt = LockAcquired | { readonly outcome: "held"; readonly lock: LockView };

// Every turn that fails means that somebody else got further, but for a file system that does not do what it says.
const mostTurns = 1_000;

/**
 * The same owner gets it again, with its new meta.
 * @throws HoldfastError LOCK_HELD, INVALID_ARGUMENT, LOCK_DIRECTORY_UNSAFE, SYSTEM_ERROR; or the signal's reason
 */
export async function acquireLock(options: AcquireOptions): Promise<LockAcquired> {
  const { waitMs = 0, signal } = options;
  const request = await prepare(options);
  const deadlineMs = performance.now() + waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const watch = waitMs > 0 ? new LockWatch(request.path) : undefined;
    try {
      const attempt = await request.attempt();
      if (attempt.outcome !== "held") return attempt;
      const leftMs = deadlineMs - performance.now();
      if (watch === undefined || leftMs <= 0) throw lockHeld(attempt.lock);
      await watch.wait(leftMs, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw systemError(error, request.path);
    } finally {
      watch?.close();
    }
  }
}

async function prepare(options: AcquireOptions): Promise<Acquisition> {
  const { scope, identity, meta = {}, waitMs = 0, directory = lockDirectory() } = options;
  const key = lockKey(scope, identity);
  const problem = metaProblem(meta);
  if (problem !== undefined) {
    throw new HoldfastError("INVALID_ARGUMENT", `the meta is too large: ${problem}`);
  }
  if (!(waitMs >= 0 && waitMs <= mostLockWaitMs)) {
    throw new HoldfastError("INVALID_ARGUMENT", "the wait is longer than a day");
  }
  await openLockDirectory(directory);
  await change.sweepPending(directory);
  return new Acquisition({ key, directory, owner: options.owner, meta: options.meta });
}

interface AcquisitionOptions {
  readonly key: LockKey;
  readonly directory: string;
  readonly owner: LockOwner;
  readonly meta: Meta | undefined;
}

class Acquisition {
  readonly path: string;
  readonly #options: AcquisitionOptions;

  constructor(options: AcquisitionOptions) {
    this.#options = options;
    this.path = join(options.directory, nameOf(options.key));
  }

  async attempt(): Promise<Attempt> {
    let replaced: LockView | null = null;
    for (let turn = 0; turn < mostTurns; turn++) {
      const found = await readLock(this.path);
      const own = found.claims.find(({ owner }) => owner !== null && isSameOwner(owner, this.#options.owner));
      if (own !== undefined) {
        const lock = await this.#update(own);
        if (lock !== undefined) return { outcome: "updated", lock, replaced: null };
        continue;
      }
      const holder = found.claims.find(({ state }) => !isStale(state));
      if (holder !== undefined) return { outcome: "held", lock: this.#view(holder) };
      const [stale] = found.claims;
      if (stale !== undefined) replaced = this.#view(stale);
      await this.#clear(found);
      const lock = await this.#put();
      if (lock !== undefined)
        return { outcome: replaced === null ? "acquired" : "taken_over", lock, replaced };
    }
    throw new Error("it could not be emptied");
  }

  /** Removes what nobody holds any more. */
  async #clear({ claims, litter, isObstructed }: FoundLock): Promise<void> {
    if (isObstructed) await change.removeObstruction(this.path);
    for (const { nonce } of claims) await change.removeClaim(this.path, nonce);
    await change.removeLitter(this.path, litter);
  }

  async #put(): Promise<LockView | undefined> {
    const { directory, owner, meta = {} } = this.#options;
    const acquiredAt = new Date().toISOString();
    const nonce = await change.putClaim(directory, this.path, { owner, meta, acquiredAt });
    if (nonce === undefined) return undefined;
    return this.#view({ nonce, owner, state: stateOf(owner), meta, acquiredAt, updatedAt: acquiredAt });
  }

  async #update(own: FoundClaim): Promise<LockView | undefined> {
    const { directory, meta = own.meta } = this.#options;
    const updatedAt = new Date().toISOString();
    const { nonce } = own;
    const isDone = await change.updateClaim(directory, this.path, { nonce, update: { meta, updatedAt } });
    return isDone ? this.#view({ ...own, meta, updatedAt }) : undefined;
  }

  #view(claim: FoundClaim): LockView {
    return viewOf(this.#options.key, this.path, claim);
  }
}
