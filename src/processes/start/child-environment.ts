// The environment of a child is its caller's, not the daemon's, and of an agent's without its credentials.
import type { EnvironmentInput, EnvironmentPolicy, ProcessMode } from "../../protocol/process.ts";
import { mayPass, type EnvironmentLists, type PolicyChoice } from "./environment-policy.ts";
import type { Environment } from "./login-environment.ts";

export interface ChildEnvironment {
  readonly variables: Environment;
  readonly notes: readonly string[];
}

export interface EnvironmentRequest {
  readonly input: EnvironmentInput;
  readonly mode: ProcessMode;
  readonly cwd: string;
  readonly columns: number;
  readonly rows: number;
  /** Where the caller asks for none. */
  readonly defaultPolicy: EnvironmentPolicy;
  readonly lists: EnvironmentLists;
  readonly login: () => Promise<Environment>;
}

// Of the process that asks, and wrong or dangerous in another one.
const staysBehind = [
  /^_$/,
  /^(OLD)?PWD$/,
  /^SHLVL$/,
  /^HOLDFAST_(RUN|SOFT_NOFILE)$/,
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

// A terminal has its own of these: nobody misses another one's.
const ofTerminals = new Set(["TERM", "COLORTERM", "COLUMNS", "LINES"]);

export function travels(name: string): boolean {
  return !staysBehind.some((pattern) => pattern.test(name));
}

export async function childEnvironment(request: EnvironmentRequest): Promise<ChildEnvironment> {
  const { input, mode } = request;
  const policy = input.policy ?? request.defaultPolicy;
  const notes: string[] = [];
  const base = input.exact && input.pass.length === 0 ? {} : await baseEnvironment(request);
  const passed = input.exact
    ? onlyNamed(base, request)
    : withoutWithheld(base, { policy, pass: input.pass, lists: request.lists }, notes);
  notes.push(...unmetNotes(passed, input));
  if (input.exact) return { variables: { ...passed, ...input.set }, notes };
  const isTerminal = policy === "terminal" && mode === "pty";
  const added = isTerminal ? terminalVariables(request) : {};
  const variables: Record<string, string> = { ...passed, ...added };
  for (const name of input.remove) delete variables[name];
  Object.assign(variables, input.set);
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

/** The caller's own, or the login shell's where the caller has none or a bare search path. */
async function baseEnvironment({ input, login }: EnvironmentRequest): Promise<Environment> {
  const caller = Object.fromEntries(Object.entries(input.caller ?? {}).filter(([name]) => travels(name)));
  if (!barePaths.has(caller["PATH"] ?? "")) return caller;
  const { PATH: barePath, ...rest } = caller;
  const fromLogin = await login();
  // A caller with a bare PATH keeps everything else it has: only the search path is the login shell's.
  const path = fromLogin["PATH"] ?? barePath;
  return { ...fromLogin, ...rest, ...(path === undefined ? {} : { PATH: path }) };
}

function onlyNamed(base: Environment, { input, lists }: EnvironmentRequest): Environment {
  const choice: PolicyChoice = { policy: "command", pass: input.pass, lists };
  return pick(base, (name) => input.pass.includes(name) && mayPass(name, choice));
}

function withoutWithheld(base: Environment, choice: PolicyChoice, notes: string[]): Environment {
  if (choice.policy === "caller") return base;
  const passed = pick(base, (name) => mayPass(name, choice));
  const withheld = Object.keys(base).filter((name) => !Object.hasOwn(passed, name) && !ofTerminals.has(name));
  if (withheld.length > 0) notes.push(withheldNote(withheld, choice.policy));
  return passed;
}

function pick(variables: Environment, isWanted: (name: string) => boolean): Environment {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isWanted(name)));
}

function withheldNote(names: readonly string[], policy: EnvironmentPolicy): string {
  const why =
    policy === "terminal" ? "a terminal does not need them" : "their names say that they are credentials";
  return `Not passed on, because ${why}: ${names.toSorted().join(", ")}. To pass one, name it in environment.pass (--pass-env).`;
}

/** Whoever names a variable counts on it. */
function unmetNotes(passed: Environment, { pass, set }: EnvironmentInput): string[] {
  const unmet = pass.filter((name) => !Object.hasOwn(passed, name) && !Object.hasOwn(set, name));
  if (unmet.length === 0) return [];
  return [`Named in environment.pass, but not there, or denied by the configuration: ${unmet.join(", ")}.`];
}

function terminalVariables({ cwd, columns, rows }: EnvironmentRequest): Environment {
  return {
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    COLUMNS: String(columns),
    LINES: String(rows),
    PWD: cwd,
    HOLDFAST_TERMINAL: "1",
  };
}
