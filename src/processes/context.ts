// What the stages of a process's life share.
import type { Config } from "../config/index.ts";
import { KeptProcess, runDirectory, type Launcher } from "../keeper/index.ts";
import type { Store } from "../store/index.ts";
import type { ProcessRegistry } from "./registry.ts";
import type { LoginEnvironment } from "./start/login-environment.ts";

export interface ProcessContext {
  readonly home: string;
  /** Of the keeper: for looks at a whole folder of runs. */
  readonly binary: string;
  readonly store: Store;
  readonly registry: ProcessRegistry;
  readonly launcher: Launcher;
  readonly login: LoginEnvironment;
  readonly config: () => Config;
  /** A problem that concerns nobody's request. */
  readonly report: (message: string, cause?: unknown) => void;
  /** Aborted when the daemon goes. */
  readonly signal: AbortSignal;
}

/** A fresh handle on the run of a process; the caller closes it. */
export function keptProcess(context: ProcessContext, id: string): KeptProcess {
  return new KeptProcess(context.launcher.run(id));
}

export function directoryOf(context: ProcessContext, id: string): string {
  return runDirectory(context.home, id);
}
