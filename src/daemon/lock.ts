// One daemon per home, proven by the kernel: a flock on a description that this process holds open for life. Node has no flock, so the
// keeper binary takes it on the descriptor it inherits; the lock stays with the description, that is, with us.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, fstatSync, openSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { holdOf, homeFiles, readPresence, readRecord, type Presence } from "../home/index.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { isRunning } from "../util/process-identity.ts";
import { refusalOf } from "./refusal.ts";

// Whoever was quicker writes its record within moments of having the lock; told with it, the refusal says who won.
const tellDeadlineMs = 1_000;
const lookAgainMs = 20;

export class HomeLock {
  readonly #descriptor: number;

  private constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** @throws HoldfastError DAEMON_RUNNING, DAEMON_FOREIGN when another process has it */
  static async take(home: string, binary: string): Promise<HomeLock> {
    const { lock } = homeFiles(home);
    const deadlineMs = performance.now() + tellDeadlineMs;
    for (;;) {
      const descriptor = await tryLock(lock, binary);
      if (descriptor !== undefined) return new HomeLock(proven(descriptor, home));
      const presence = readPresence(home);
      if (isTold(presence) || performance.now() > deadlineMs) throw refusalOf(presence);
      // Its holder is about to tell who it is, or has ended since: then the lock is free.
      await delay(lookAgainMs);
    }
  }

  release(): void {
    closeSync(this.#descriptor);
  }
}

/** Is it known who has the lock? */
function isTold({ state, detail, owner, record }: Presence): boolean {
  if (state === "foreign") return true;
  return state === "running" && (detail !== "starting" || owner?.pid === record?.pid);
}

/** The locked descriptor; undefined when another has the lock. */
async function tryLock(path: string, binary: string): Promise<number | undefined> {
  const descriptor = openLock(path);
  try {
    const child = spawn(binary, ["lock", "3"], {
      stdio: ["ignore", "ignore", "ignore", descriptor],
      env: {},
    });
    const [code] = (await once(child, "exit")) as [number | null];
    // Removed between our opening it and our locking it: the next one would lock another file.
    if (code === 0 && isStillNamed(descriptor, path)) return descriptor;
    if (code !== 0 && code !== 1) {
      throw new HoldfastError(
        "INTERNAL",
        `The lock ${path} could not be taken: keeper lock ended with ${code}.`,
      );
    }
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return undefined;
}

/** A flock needs no right to write: on a read-only home the file of an earlier daemon serves. */
function openLock(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EROFS") return openSync(path, "r");
    throw error;
  }
}

function isStillNamed(descriptor: number, path: string): boolean {
  const named = statSync(path, { throwIfNoEntry: false });
  const opened = fstatSync(descriptor);
  return named !== undefined && named.dev === opened.dev && named.ino === opened.ino;
}

/** Somebody may have removed the file of a daemon that still runs: its lock is then on a file without a name. */
function proven(descriptor: number, home: string): number {
  const record = readRecord(home);
  if (record === undefined || !isRunning(record) || holdOf(record.pid, homeFiles(home).lock) !== "deleted")
    return descriptor;
  const presence = readPresence(home);
  closeSync(descriptor);
  throw refusalOf(presence);
}
