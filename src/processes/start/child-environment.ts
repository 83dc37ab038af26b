// The environment of a child is its caller's, not the daemon's.
import type { EnvironmentInput, ProcessMode } from "../../protocol/process.ts";
import type { Environment } from "./login-environment.ts";

export interface ChildEnvironment {
  readonly variables: Environment;
  readonly notes: readonly string[];
}

// Of the process that asks, and wrong or dangerous in another one.
const staysBehind = [
  /^_$/,
  /^(OLD)?PWD$/,
  /^SHLVL$/,
  /^HOLDFAST_RUN$/,
  /^NODE_CHANNEL_(FD|SERIALIZATION_MODE)$/,
  /^npm_(lifecycle|package|config|execpath|node_execpath|command)/,
  /^(TMUX|TMUX_PANE|STY|WINDOW)$/,
];

// What a service manager or a bare `env -i` gives: a person's tools are not in it.
const barePaths = new Set([
  "",
  "/usr/bin:/bin",
  "/bin:/usr/bin",
  "/usr/local/bin:/usr/bin:/bin",
  "/usr/bin:/bin:/usr/sbin:/sbin",
]);

export function travels(name: string): boolean {
  return !staysBehind.some((pattern) => pattern.test(name));
}

export async function childEnvironment(
  input: EnvironmentInput,
  mode: ProcessMode,
  login: () => Promise<Environment>,
): Promise<ChildEnvironment> {
  if (input.exact) return { variables: input.set, notes: [] };
  const caller = Object.fromEntries(Object.entries(input.caller ?? {}).filter(([name]) => travels(name)));
  const isBare = barePaths.has(caller["PATH"] ?? "");
  const { PATH: barePath, ...rest } = caller;
  // A caller with a bare PATH keeps everything else it has: only the search path is the login shell's.
  const base = isBare ? { ...(await login()), ...rest } : caller;
  const variables: Record<string, string> = { ...base, ...input.set };
  if (isBare && variables["PATH"] === undefined && barePath !== undefined) variables["PATH"] = barePath;
  for (const name of input.remove) delete variables[name];
  const notes: string[] = [];
  // Without a terminal Python holds its output back until it ends, and a watcher sees nothing.
  if (
    mode !== "pty" &&
    variables["PYTHONUNBUFFERED"] === undefined &&
    !input.remove.includes("PYTHONUNBUFFERED")
  ) {
    variables["PYTHONUNBUFFERED"] = "1";
    notes.push(
      "PYTHONUNBUFFERED=1 was added, so that Python's output is seen at once; set it yourself to change that.",
    );
  }
  if (mode === "pty") variables["TERM"] ??= "xterm-256color";
  return { variables, notes };
}
