// What the daemon knows of sessions: what their shells remember, and when each was last heard of.
import type { ConfigStore } from "../config/index.ts";
import type { Launcher } from "../keeper/index.ts";
import {
  endIdleSessionsRegularly,
  runToEnd,
  SessionActivity,
  ShellSessions,
  type LoginEnvironment,
  type ProcessContext,
} from "../processes/index.ts";
import type { Store } from "../store/index.ts";

export interface SessionParts {
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly store: Store;
  readonly launcher: Launcher;
  readonly login: LoginEnvironment;
  readonly config: ConfigStore;
  readonly report: ProcessContext["report"];
}

export function openSessions(parts: SessionParts): Pick<ProcessContext, "shells" | "activity"> {
  const { home, environment, store, launcher, login, config, report } = parts;
  const shells = new ShellSessions({
    home,
    environment,
    run: runToEnd(launcher, home),
    login: () => login.get(),
    timeoutMs: () => config.current.shell.captureTimeoutMs,
    hasDefinitions: () => config.current.shell.definitions,
    storedDirectory: async (session) => (await store.sessions.get(session))?.cwd ?? null,
    storeDirectory: (session, cwd) => store.sessions.change(session, { cwd }, Date.now()),
  });
  const activity = new SessionActivity({
    store,
    endAfterMs: () => config.current.sessions.endAfterMs,
    report,
  });
  return { shells, activity };
}

/** Once every process is known to live or to have ended. Returns how to stop. */
export function beginSessions(context: ProcessContext): () => void {
  const live = new Set(context.registry.live().map(({ id }) => id));
  context.shells.sweep((id) => live.has(id));
  return endIdleSessionsRegularly(context);
}
