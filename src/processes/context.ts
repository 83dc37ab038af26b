// What the stages of a process's life share.
import type { Config, DirectoryConfig } from "../config/index.ts";
import { KeptProcess, runDirectory, type Launcher } from "../keeper/index.ts";
import type { Redactor } from "../redaction/index.ts";
import type { Store } from "../store/index.ts";
import type { InputHandles } from "./input/input-handles.ts";
import type { ProcessRegistry } from "./registry.ts";
import type { SessionActivity } from "./session/activity.ts";
import type { ShellSessions } from "./shell/shell-sessions.ts";
import type { LoginEnvironment } from "./start/login-environment.ts";
import type { ProcessWatches } from "./watch/process-watches.ts";

/** What a problem is about, so that it can be found by it. */
export interface Report {
  readonly processId?: string;
  readonly session?: string;
}

export interface ProcessContext {
  readonly home: string;
  /** Of the keeper: for looks at a whole folder of runs. */
  readonly binary: string;
  readonly store: Store;
  readonly registry: ProcessRegistry;
  readonly launcher: Launcher;
  readonly inputs: InputHandles;
  readonly login: LoginEnvironment;
  readonly shells: ShellSessions;
  readonly activity: SessionActivity;
  readonly watches: ProcessWatches;
  readonly config: () => Config;
  /** For what is started in a directory: its project's file may say more. */
  readonly configIn: (directory: string) => Promise<DirectoryConfig>;
  /** As it was configured when the daemon started. */
  readonly redactor: Redactor;
  /** A problem that concerns nobody's request. */
  readonly report: (message: string, cause?: unknown, about?: Report) => void;
  /** Aborted when the daemon goes. */
  readonly signal: AbortSignal;
}

export function aboutProcess({
  id,
  session,
}: {
  readonly id: string;
  readonly session: string | null;
}): Report {
  return { processId: id, ...(session === null ? {} : { session }) };
}

/** A fresh handle on the run of a process; the caller closes it. */
export function keptProcess(context: ProcessContext, id: string): KeptProcess {
  return new KeptProcess(context.launcher.run(id));
}

export function directoryOf(context: ProcessContext, id: string): string {
  return runDirectory(context.home, id);
}
