// The composition root: puts the modules together in the order in which they need each other, and takes them apart in reverse.
import { readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ApiOptions } from "../api/index.ts";
import { ConfigStore } from "../config/index.ts";
import { installBinary, KeptProcess, Launcher, leaveTree, runsDirectory } from "../keeper/index.ts";
import {
  BusySources,
  createRuntime,
  RequestLog,
  SessionInterrupts,
  type Runtime,
  type StopRequest,
} from "../operations/index.ts";
import {
  LoginEnvironment,
  ProcessRegistry,
  ProcessWatches,
  runToEnd,
  StartGate,
  InputHandles,
  type ProcessContext,
  type Recovery,
} from "../processes/index.ts";
import { makeHome, type Leave, type StatusFile } from "../home/index.ts";
import type { PreviousEnd } from "../protocol/daemon.ts";
import { createRedactor } from "../redaction/index.ts";
import { refuseNewerStore, Store } from "../store/index.ts";
import { endIdleTerminals, Terminals } from "../terminals/index.ts";
import { problemLog, type Log } from "../util/log.ts";
import { beginNotifier, openNotifications } from "./begin-notifications.ts";
import { isInsecureWanted, refuseExposed } from "./dashboard/exposure.ts";
import { OpenDashboard } from "./dashboard/open-dashboard.ts";
import { Drain } from "./drain.ts";
import { listen } from "./listen.ts";
import { tellStart } from "./log/tell-start.ts";
import { beginSessions, openSessions } from "./open-sessions.ts";
import { openMcp } from "./open-mcp.ts";
import { openPolicy } from "./open-policy.ts";
import { Ownership } from "./ownership.ts";
import { storeFileOf } from "./preflight.ts";
import { Problems, tellProblems } from "./problems.ts";
import { takeOver, type ReplaceOptions } from "./replace.ts";
import { Self } from "./self.ts";
import { beginUpkeep } from "./upkeep.ts";
import { readVersion } from "./version.ts";
import { recoverWhenWritable } from "./writable.ts";

export interface BootOptions {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Told what concerns no request. */
  readonly report: ProcessContext["report"];
  /** Told of requests too; without it, only those that failed for a reason of ours reach report. */
  readonly log?: Log;
  /** The home is ours: from here on whoever ends this program early says why in this file. */
  readonly onOwned?: (status: StatusFile) => void;
  /** The home is ours, and this is how it is configured. What is returned is called when it is about to be given up. */
  readonly onConfig?: (config: ConfigStore) => () => void;
  /** Listen on the home's socket; an embedded runtime need not. */
  readonly listen: boolean;
  /** Inside another program, which must not be ended with it. */
  readonly isEmbedded?: boolean;
  /** Take the home from the daemon that has it. */
  readonly replace?: ReplaceOptions | undefined;
  /** The dashboard asks nobody who they are. */
  readonly isInsecure?: boolean;
  /** The drain has begun; every further request is told too. */
  readonly onStopRequested: (request: StopRequest) => void;
}

export interface Daemon {
  readonly runtime: Runtime;
  readonly recovery: Recovery;
  /** How it is, for readers with no daemon. */
  readonly status: StatusFile;
  /** How the daemon before this one ended, if there was one. */
  readonly previousEnd: PreviousEnd | undefined;
  readonly drain: Drain;
  /** Processes go on. */
  close(leave?: Leave): Promise<void>;
}

const closed: Leave = { state: "stopped", exitReason: "closed by the program it ran in" };

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

function logOf({ log, report }: BootOptions): Log {
  return log ?? problemLog(report);
}

/** @throws HoldfastError DAEMON_RUNNING, DAEMON_FOREIGN, CONFIG_INVALID, and what the home's files say */
export async function bootDaemon(options: BootOptions): Promise<Daemon> {
  const { home, environment, report, replace } = options;
  makeHome(home);
  refuseNewerStore(storeFileOf(home));
  await mkdir(join(home, "runs"), { recursive: true, mode: 0o700 });
  const binary = await installBinary(home);
  const isEmbedded = options.isEmbedded ?? false;
  const claim = { home, binary, version: readVersion(), isEmbedded, environment, report };
  const own = replace === undefined ? await Ownership.take(claim) : await takeOver(claim, replace);
  options.onOwned?.(own.status);
  tellStart(logOf(options), { home, version: claim.version, previousEnd: own.previousEnd });
  const closers = new Closers();
  try {
    const { runtime, recovery, drain } = await boot(options, closers, binary, own.status);
    const close = async (leave: Leave = closed): Promise<void> => {
      own.status.change({ state: "draining" });
      try {
        await closers.run();
      } finally {
        own.release(leave);
      }
    };
    return { runtime, recovery, drain, status: own.status, previousEnd: own.previousEnd, close };
  } catch (error) {
    try {
      await closers.run();
    } finally {
      own.release({ state: "failed", exitReason: error instanceof Error ? error.message : String(error) });
    }
    throw error;
  }
}

async function openProcesses(
  options: BootOptions,
  closers: Closers,
  binary: string,
  onProblem: (problem: Error) => void,
): Promise<{ context: ProcessContext; config: ConfigStore }> {
  const { home, environment, report } = options;
  const config = ConfigStore.open({ home, environment });
  const letGo = options.onConfig?.(config);
  closers.add(() => letGo?.());
  closers.add(() => config.close());
  await refuseExposed(config.current.dashboard, isInsecureWanted(options));
  const isHomeUsed = readdirSync(runsDirectory(home)).length > 0;
  const store = await Store.open({ file: storeFileOf(home), isHomeUsed, onProblem });
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
  const inputs = new InputHandles((id) => new KeptProcess(launcher.run(id)));
  closers.add(() => inputs.close());
  const registry = await ProcessRegistry.open(store);
  const sessions = openSessions({ home, environment, store, launcher, login, config, report });
  closers.add(() => sessions.shells.close());
  const host = {
    home,
    binary,
    store,
    registry,
    launcher,
    inputs,
    login,
    config: () => config.current,
    configIn: (directory: string) => config.inDirectory(directory),
    // Once: whatever changes the configuration later cannot turn it off.
    redactor: createRedactor({ enabled: config.current.redaction.enabled }),
    report,
    signal: going.signal,
  };
  const watches = await ProcessWatches.open(host);
  closers.add(() => watches.close());
  return { context: { ...host, ...sessions, watches }, config };
}

function openTerminals(context: ProcessContext, closers: Closers): Terminals {
  const terminals = new Terminals(context);
  closers.add(() => terminals.close());
  closers.add(endIdleTerminals(context, terminals));
  return terminals;
}

function busySourcesOf({ registry, watches }: ProcessContext, interrupts: SessionInterrupts): BusySources {
  const busy = new BusySources();
  busy.add({ name: "processes", count: () => registry.liveCount, holdsDrain: false });
  busy.add({ name: "ends", count: () => watches.lateCount, holdsDrain: false });
  busy.add({ name: "waits", count: () => interrupts.openCount, holdsDrain: true });
  return busy;
}

function drainOf(busy: BusySources, config: ConfigStore, status: StatusFile): Drain {
  return new Drain({
    busy,
    configuredMs: () => config.current.daemon.drainMs,
    onBegin: () => status.change({ state: "draining" }),
  });
}

function toldOf(requests: RequestLog): Pick<ApiOptions, "onError" | "onStream"> {
  return {
    onError: (error, requestId) => requests.refused(error, requestId),
    onStream: (route, requestId) => requests.streamed(route, requestId),
  };
}

interface Served {
  readonly runtime: Runtime;
  readonly requests: RequestLog;
  readonly version: string;
  readonly status: StatusFile;
  readonly dashboard: OpenDashboard;
}

async function openApi({ home, report }: BootOptions, closers: Closers, served: Served): Promise<void> {
  const { runtime, requests, version, status, dashboard } = served;
  const mcp = openMcp({ runtime, version, report });
  const routes = { runtime, version, mcp: mcp.fetch, ...toldOf(requests) };
  const api = await listen(home, status, routes);
  closers.add(() => api.close());
  closers.add(await dashboard.begin(routes));
  // First: its streams and waits would hold up the end of the API.
  closers.add(() => mcp.close());
}

/** Returns how to stop. */
function tellActive({ registry }: ProcessContext, status: StatusFile): () => void {
  const tell = (): void => status.setActive({ processes: registry.liveCount });
  tell();
  return registry.listen(tell);
}

interface Kept {
  readonly context: ProcessContext;
  readonly config: ConfigStore;
  readonly problems: Problems;
  readonly recovery: Recovery;
}

/** The processes of the home, all settled, and what is wrong. */
async function openKept(
  options: BootOptions,
  closers: Closers,
  binary: string,
  status: StatusFile,
): Promise<Kept> {
  const log = logOf(options);
  const problems = new Problems();
  problems.from(() => log.problems);
  const { context, config } = await openProcesses(options, closers, binary, (problem) => {
    problems.add(problem);
    options.report(problem.message, problem);
    tellProblems(problems, status);
  });
  problems.from(() => config.watchFailures);
  const onWritable = (): void => {
    problems.pass("STORE_FULL", "STORE_READ_ONLY");
    log.info({}, "the store can be written again");
    tellProblems(problems, status);
  };
  const recovery = await recoverWhenWritable(context, { closers, onWritable });
  closers.add(beginSessions(context));
  const upkeep = beginUpkeep(context);
  problems.from(() => upkeep.damage);
  closers.add(() => upkeep.end());
  closers.add(tellActive(context, status));
  return { context, config, problems, recovery };
}

async function boot(
  options: BootOptions,
  closers: Closers,
  binary: string,
  status: StatusFile,
): Promise<Pick<Daemon, "runtime" | "recovery" | "drain">> {
  const { environment, report } = options;
  // A daemon started from inside a kept process must not fall with it.
  await leaveTree(environment);
  const { context, config, problems, recovery } = await openKept(options, closers, binary, status);
  const log = logOf(options);
  const interrupts = new SessionInterrupts();
  const busy = busySourcesOf(context, interrupts);
  const drain = drainOf(busy, config, status);
  const self = new Self(context, { ...options, problems, file: status, drain });
  const requests = new RequestLog(log);
  const { redactor } = context;
  const notifications = openNotifications(context, redactor);
  const { policy, end: endPolicy } = openPolicy(context, busy);
  const { store } = context;
  const isInsecure = isInsecureWanted(options);
  const parts = { store, config, environment, isInsecure, status, problems, log, report };
  const dashboard = new OpenDashboard(parts);
  const terminals = openTerminals(context, closers);
  const runtime = createRuntime({
    processes: context,
    terminals,
    notifications,
    policy,
    access: dashboard.access,
    dashboard,
    redactor,
    gate: new StartGate(),
    config,
    interrupts,
    busy,
    daemon: self,
    requests,
  });
  closers.add(beginNotifier({ notifications, runtime, config, environment, busy }));
  if (options.listen)
    await openApi(options, closers, { runtime, requests, version: self.version, status, dashboard });
  // Before the API closes: it would wait for whoever waits for a person.
  closers.add(endPolicy);
  status.change({ state: problems.current.length > 0 ? "degraded" : "running" });
  return { runtime, recovery, drain };
}
