// The composition root: puts the modules together in the order in which they need each other, and takes them apart in reverse.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ApiOptions } from "../api/index.ts";
import { ConfigStore } from "../config/index.ts";
import { installBinary, Launcher, leaveTree } from "../keeper/index.ts";
import { createRuntime, SessionInterrupts, type DaemonSelf, type Runtime } from "../operations/index.ts";
import {
  LoginEnvironment,
  ProcessRegistry,
  recover,
  runToEnd,
  StartGate,
  sweepRegularly,
  type ProcessContext,
  type Recovery,
} from "../processes/index.ts";
import type { DaemonStatus } from "../protocol/daemon.ts";
import { Store } from "../store/index.ts";
import { listen } from "./listen.ts";
import { HomeLock } from "./lock.ts";
import { beginUpkeep } from "./upkeep.ts";
import { readVersion } from "./version.ts";

export interface BootOptions {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly report: (message: string, cause?: unknown) => void;
  /** Listen on the home's socket; an embedded runtime need not. */
  readonly listen: boolean;
  readonly onStopRequested: () => void;
}

export interface Daemon {
  readonly runtime: Runtime;
  readonly recovery: Recovery;
  /** Processes go on. */
  close(): Promise<void>;
}

const nothingRecovered: Recovery = { adopted: 0, ended: 0, rebuilt: 0 };

/** Closes in the reverse order of opening, also when opening fails half-way. */
class Closers {
  readonly #closers: (() => unknown)[] = [];

  add(close: () => unknown): void {
    this.#closers.push(close);
  }

  async run(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }
}

export async function bootDaemon(options: BootOptions): Promise<Daemon> {
  const closers = new Closers();
  try {
    return await boot(options, closers);
  } catch (error) {
    await closers.run();
    throw error;
  }
}

async function openProcesses(
  options: BootOptions,
  closers: Closers,
  binary: string,
  problems: string[],
): Promise<{ context: ProcessContext; config: ConfigStore }> {
  const { home, environment, report } = options;
  const config = ConfigStore.open({ home, environment });
  closers.add(() => config.close());
  const onProblem = (problem: Error): void => {
    problems.push(problem.message);
    report(problem.message, problem);
  };
  const store = await Store.open({ file: join(home, "holdfast.db"), onProblem });
  closers.add(() => store.close());
  // Nothing can be started where nothing can be written: then the launcher is asked only if somebody tries.
  const launcher = await Launcher.open({ home, binary, environment, isLazy: store.access === "read-only" });
  closers.add(() => launcher.close());
  const going = new AbortController();
  closers.add(() => going.abort());
  const login = new LoginEnvironment({
    run: runToEnd(launcher, home),
    timeoutMs: () => config.current.shell.captureTimeoutMs,
    environment,
  });
  const registry = await ProcessRegistry.open(store);
  const context = {
    home,
    binary,
    store,
    registry,
    launcher,
    login,
    config: () => config.current,
    report,
    signal: going.signal,
  };
  return { context, config };
}

async function boot(options: BootOptions, closers: Closers): Promise<Daemon> {
  const { home } = options;
  await mkdir(join(home, "runs"), { recursive: true, mode: 0o700 });
  const binary = await installBinary(home);
  const lock = await HomeLock.take(join(home, "daemon.lock"), binary);
  closers.add(() => lock.release());
  // A daemon started from inside a kept process must not fall with it.
  await leaveTree(options.environment);
  const problems: string[] = [];
  const { context, config } = await openProcesses(options, closers, binary, problems);
  const isWritable = context.store.access === "read-write";
  // What is found cannot be written down otherwise: the rows are told as they were left.
  const recovery = isWritable ? await recover(context) : nothingRecovered;
  if (isWritable) closers.add(sweepRegularly(context));
  closers.add(beginUpkeep(context));
  const self = new Self(context, options, problems);
  const runtime = createRuntime({
    processes: context,
    gate: new StartGate(),
    config,
    interrupts: new SessionInterrupts(),
    daemon: self,
  });
  if (options.listen) {
    const onInternalError: ApiOptions["onInternalError"] = (error, requestId) =>
      options.report(`Request ${requestId} failed.`, error);
    const api = await listen(home, { runtime, version: self.version, onInternalError });
    closers.add(() => api.close());
  }
  return { runtime, recovery, close: () => closers.run() };
}

/** Null when it does not answer: doctor tells why. */
async function launcherPidOf(launcher: Launcher): Promise<number | null> {
  const status = await launcher.status().catch(() => undefined);
  return status?.pid ?? null;
}

class Self implements DaemonSelf {
  readonly version = readVersion();
  readonly #context: ProcessContext;
  readonly #options: BootOptions;
  readonly #problems: readonly string[];
  readonly #startedAt = new Date().toISOString();
  isStopping = false;

  constructor(context: ProcessContext, options: BootOptions, problems: readonly string[]) {
    this.#context = context;
    this.#options = options;
    this.#problems = problems;
  }

  async status(): Promise<DaemonStatus> {
    const { store, registry, launcher, home } = this.#context;
    const counts = await store.processes.countByState();
    // Where nothing can be written there may be none, and none can be started.
    const isAsked = store.access === "read-write";
    const launcherPid = isAsked ? await launcherPidOf(launcher) : null;
    return {
      state: this.isStopping ? "draining" : this.#problems.length > 0 ? "degraded" : "running",
      pid: process.pid,
      version: this.version,
      home,
      startedAt: this.#startedAt,
      running: registry.liveCount,
      processes: Object.values(counts).reduce((sum, count) => sum + count, 0),
      launcherPid,
      problems: [...this.#problems],
    };
  }

  requestStop(): void {
    this.isStopping = true;
    // After the answer: whoever asked should hear that it will be so.
    setImmediate(this.#options.onStopRequested);
  }
}
