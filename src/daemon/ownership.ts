// This process as the one daemon of its home: the lock proves it, the record names it, the status file tells how it is. Given up
// in reverse order, so that no successor finds a file of ours being written.
import {
  detectSupervisor,
  findPreviousEnd,
  ownRecord,
  removeRecord,
  StatusFile,
  type Leave,
} from "../home/index.ts";
import type { DaemonRecord, PreviousEnd } from "../protocol/daemon.ts";
import { HomeLock } from "./lock.ts";

export interface OwnershipOptions {
  readonly home: string;
  readonly binary: string;
  readonly version: string;
  readonly isEmbedded: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly report: (message: string, cause?: unknown) => void;
}

export class Ownership {
  readonly status: StatusFile;
  readonly previousEnd: PreviousEnd | undefined;
  readonly #lock: HomeLock;
  readonly #record: DaemonRecord;
  #isReleased = false;

  private constructor(
    lock: HomeLock,
    record: DaemonRecord,
    status: StatusFile,
    previousEnd: PreviousEnd | undefined,
  ) {
    this.#lock = lock;
    this.#record = record;
    this.status = status;
    this.previousEnd = previousEnd;
  }

  /** @throws HoldfastError DAEMON_RUNNING, DAEMON_FOREIGN */
  static async take(options: OwnershipOptions): Promise<Ownership> {
    const { home, environment, report } = options;
    const lock = await HomeLock.take(home, options.binary);
    const previousEnd = findPreviousEnd(home);
    const record = ownRecord(home, options.version, options.isEmbedded);
    const supervisor = detectSupervisor(environment);
    const status = StatusFile.begin({ record, supervisor, previousEnd, report });
    return new Ownership(lock, record, status, previousEnd);
  }

  /** The last that is done: from here on another may have the home. */
  release(leave: Leave): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.status.leave(leave);
    removeRecord(this.#record);
    this.#lock.release();
  }
}
