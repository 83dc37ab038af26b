// The daemon about itself, for whoever asks over the API.
import type { StatusFile } from "../home/index.ts";
import type { Launcher } from "../keeper/index.ts";
import { sinkNames } from "../notifications/index.ts";
import type { DaemonSelf, StopRequest } from "../operations/index.ts";
import type { ProcessContext } from "../processes/index.ts";
import type { DaemonStatus } from "../protocol/daemon.ts";
import type { Drain } from "./drain.ts";
import type { Problems } from "./problems.ts";
import { readVersion } from "./version.ts";

export interface SelfOptions {
  readonly problems: Problems;
  readonly file: StatusFile;
  readonly drain: Drain;
  readonly onStopRequested: (request: StopRequest) => void;
}

/** Null when it does not answer: doctor tells why. */
async function launcherPidOf(launcher: Launcher): Promise<number | null> {
  const status = await launcher.status().catch(() => undefined);
  return status?.pid ?? null;
}

export class Self implements DaemonSelf {
  readonly version = readVersion();
  readonly #context: ProcessContext;
  readonly #options: SelfOptions;

  constructor(context: ProcessContext, options: SelfOptions) {
    this.#context = context;
    this.#options = options;
  }

  get isStopping(): boolean {
    return this.#options.drain.hasBegun;
  }

  get leavesInMs(): number {
    return this.#options.drain.leftMs;
  }

  async status(): Promise<DaemonStatus> {
    const { store, registry, launcher, home } = this.#context;
    const counts = await store.processes.countByState();
    const { startedAt, supervisor, listeners, previousEnd } = this.#options.file.current;
    const problems = this.#options.problems.current;
    // Where nothing can be written there may be none, and none can be started.
    const isAsked = store.access === "read-write";
    const launcherPid = isAsked ? await launcherPidOf(launcher) : null;
    return {
      state: this.isStopping ? "draining" : problems.length > 0 ? "degraded" : "running",
      pid: process.pid,
      version: this.version,
      home,
      startedAt,
      supervisor,
      listeners,
      running: registry.liveCount,
      processes: Object.values(counts).reduce((sum, count) => sum + count, 0),
      launcherPid,
      problems,
      previousEnd,
      notices: {
        pending: await store.notices.countPending(),
        ...(await store.deliveries.countStuck(sinkNames(this.#context.config()))),
      },
    };
  }

  requestStop(request: StopRequest): void {
    void this.#options.drain.begin(request.drainMs);
    // After the answer: whoever asked should hear that it will be so.
    setImmediate(() => this.#options.onStopRequested(request));
  }
}
