// Every lock of this user on this machine. Reads only: what is stale is told, not removed.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LockList } from "../protocol/locks.ts";
import { lockDirectory } from "./lock-directory.ts";
import { keyOfName, type LockKey } from "./lock-key.ts";
import { readLock, type FoundClaim } from "./read-lock.ts";
import { isErrno, systemError } from "./system-error.ts";
import { viewOf } from "./view.ts";

export interface ListOptions {
  readonly scope?: string | undefined;
  readonly directory?: string | undefined;
}

interface ListedLock {
  readonly key: LockKey;
  readonly path: string;
  readonly claim: FoundClaim;
}

/** By scope, then by hash. @throws HoldfastError SYSTEM_ERROR */
export async function listLocks(options: ListOptions = {}): Promise<LockList> {
  const { scope, directory = lockDirectory() } = options;
  const locks: LockList["locks"] = [];
  for await (const { key, path, claim } of everyLock(directory)) {
    if (scope === undefined || key.scope === scope) locks.push(viewOf(key, path, claim));
  }
  return { directory, locks };
}

/** @throws HoldfastError SYSTEM_ERROR */
export async function* everyLock(directory: string): AsyncGenerator<ListedLock, void, undefined> {
  for (const name of (await namesIn(directory)).toSorted()) {
    const key = keyOfName(name);
    if (key === undefined) continue;
    const path = join(directory, name);
    const { claims } = await readLock(path);
    for (const claim of claims) yield { key, path, claim };
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isErrno(error, "ENOENT")) return [];
    throw systemError(error, directory);
  }
}
