// daemon-status.json: how the daemon is, for readers when there is none, or one that does not answer. Written when something
// changes; never by a timer of its own.
import type {
  DaemonRecord,
  ListenerStatus,
  PreviousEnd,
  RuntimeStatus,
  Supervisor,
} from "../protocol/daemon.ts";
import { probeProcess } from "../util/process-identity.ts";
import { readJsonFile, writeJsonFile } from "./atomic-file.ts";
import { homeFiles } from "./files.ts";
import { isSameProcess, readRecord, writeRecord } from "./record.ts";
import { parseStatus } from "./stored-shapes.ts";

export type StatusChange = Partial<
  Pick<RuntimeStatus, "state" | "exitReason" | "restartRequested" | "active">
>;

export interface Leave {
  readonly state: "stopped" | "failed";
  /** Why, in a word or a sentence: "SIGTERM", "daemon stop", "replaced by process 4711". */
  readonly exitReason: string;
  readonly restartRequested?: boolean;
}

export interface StatusFileOptions {
  readonly record: DaemonRecord;
  readonly supervisor: Supervisor;
  readonly previousEnd: PreviousEnd | undefined;
  /** A write that fails is told once, and is never fatal. */
  readonly report: (message: string, cause?: unknown) => void;
}

// Counts may change a thousand times a second; a reader of a file needs them once.
const activeIntervalMs = 1_000;

export class StatusFile {
  readonly #path: string;
  readonly #options: StatusFileOptions;
  #status: RuntimeStatus;
  #timer: NodeJS.Timeout | undefined;
  #hasBegun = false;
  #hasLeft = false;
  #hasFailed = false;

  private constructor(options: StatusFileOptions) {
    const { record, supervisor, previousEnd = null } = options;
    const { pid, startTime, bootId, pidNamespace, version } = record;
    const now = new Date().toISOString();
    this.#path = homeFiles(record.home).status;
    this.#options = options;
    this.#status = {
      writer: { pid, startTime, bootId, pidNamespace },
      version,
      supervisor,
      state: "starting",
      exitReason: null,
      restartRequested: false,
      active: { processes: 0 },
      listeners: [],
      startedAt: now,
      updatedAt: now,
      previousEnd,
    };
  }

  /** By the one that has just taken the lock. Writes its record, then state starting. */
  static begin(options: StatusFileOptions): StatusFile {
    const file = new StatusFile(options);
    file.#write();
    file.#hasBegun = true;
    return file;
  }

  get current(): RuntimeStatus {
    return this.#status;
  }

  /** What is not named stays; null clears. Written at once. */
  change(change: StatusChange): void {
    if (this.#hasLeft) return;
    this.#status = { ...this.#status, ...change };
    this.#write();
  }

  /** Written within a second, however often it changes. */
  setActive(active: RuntimeStatus["active"]): void {
    if (this.#hasLeft || active.processes === this.#status.active.processes) return;
    this.#status = { ...this.#status, active };
    this.#timer ??= setTimeout(() => this.#write(), activeIntervalMs).unref();
  }

  /** One line per name. */
  setListener(listener: Omit<ListenerStatus, "at">): void {
    if (this.#hasLeft) return;
    const others = this.#status.listeners.filter(({ name }) => name !== listener.name);
    const listeners = [...others, { ...listener, at: new Date().toISOString() }];
    this.#status = { ...this.#status, listeners };
    this.#write();
  }

  /** The last word, said while the lock is still held: nothing is written afterwards, since a successor may have the file. */
  leave({ state, exitReason, restartRequested = false }: Leave): void {
    this.change({ state, exitReason, restartRequested });
    this.#hasLeft = true;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { record, report } = this.#options;
    const owner = readRecord(record.home);
    const isNamed = owner !== undefined && isSameProcess(owner, record);
    // Another that may be alive: the files are its own by now. Whoever has just taken the lock is not replaced yet.
    const isReplaced = this.#hasBegun && owner !== undefined && !isNamed && probeProcess(owner) !== "gone";
    if (isReplaced) return;
    this.#status = { ...this.#status, updatedAt: new Date().toISOString() };
    try {
      // Also one that a full disk did not take at the start, or that somebody removed.
      if (!isNamed) writeRecord(record);
      writeJsonFile(this.#path, this.#status);
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) report(`How the daemon is cannot be written to ${this.#path}.`, error);
      this.#hasFailed = true;
    }
  }
}

/** As the last daemon left it, whether it is still there or not. */
export function readStatusFile(home: string): RuntimeStatus | undefined {
  return parseStatus(readJsonFile(homeFiles(home).status));
}

/** Its writer did not say goodbye: it still runs, was killed, crashed, or the machine went down. */
export function uncleanEnd(previous: RuntimeStatus | undefined): previous is RuntimeStatus {
  return previous !== undefined && previous.state !== "stopped" && previous.state !== "failed";
}
