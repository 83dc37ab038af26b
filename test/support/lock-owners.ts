// Locks and those who have them, for tests.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { acquireLock, listLocks, ownerOf } from "../../src/locks/index.ts";
import type { LockOwner, LockView } from "../../src/protocol/locks.ts";
import { LineProcess } from "./line-process.ts";
import { newTestHome } from "./test-home.ts";

/** Where no lock is yet. */
export function newLockDirectory(): string {
  return join(newTestHome(), "locks");
}

/** A process that does nothing and ends with the test. */
export function startSleeper(): LineProcess {
  return new LineProcess(["cat"]);
}

/** A process that was there and is not any more. */
export async function deadOwner(): Promise<LockOwner> {
  const sleeper = startSleeper();
  const owner = ownerOf(sleeper.pid);
  await sleeper.kill();
  return owner;
}

export interface LockName {
  readonly directory: string;
  readonly scope: string;
  readonly identity: string;
}

/** The lock as a process that is dead by now left it. */
export async function leaveStaleLock(name: LockName): Promise<LockView> {
  const { lock } = await acquireLock({ ...name, owner: await deadOwner(), meta: { left: "yes" } });
  return lock;
}

/** The file with the record of a lock that somebody has. */
export function claimFileOf({ path }: LockView): string {
  const [name, ...others] = readdirSync(path).filter((each) => each.endsWith(".claim"));
  if (name === undefined || others.length > 0) throw new Error(`not one claim in ${path}`);
  return join(path, name);
}

/** The one lock that is there. */
export async function onlyLock(directory: string): Promise<LockView> {
  const { locks } = await listLocks({ directory });
  const [lock, ...others] = locks;
  if (lock === undefined || others.length > 0) throw new Error(`not one lock: ${JSON.stringify(locks)}`);
  return lock;
}
