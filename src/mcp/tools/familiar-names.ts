// Names that models know from other tools, taken for ours.

export const processActions = [
  "list",
  "poll",
  "log",
  "wait",
  "kill",
  "write",
  "submit",
  "close",
  "screen",
  "search",
  "signal",
  "rename",
  "close_view",
] as const;
export type ProcessAction = (typeof processActions)[number];

const actionsByName: Readonly<Record<string, ProcessAction>> = {
  ls: "list",
  ps: "list",
  listsessions: "list",
  listprocesses: "list",
  status: "poll",
  bashoutput: "poll",
  taskoutput: "poll",
  readprocessoutput: "poll",
  read: "poll",
  logs: "log",
  output: "log",
  tail: "log",
  monitor: "wait",
  waitforexit: "wait",
  waitforlog: "wait",
  waitforport: "wait",
  stop: "kill",
  terminate: "kill",
  end: "kill",
  taskstop: "kill",
  killshell: "kill",
  killbash: "kill",
  forceterminate: "kill",
  send: "write",
  input: "write",
  type: "write",
  keys: "write",
  sendkeys: "write",
  writestdin: "write",
  enter: "submit",
  sendline: "submit",
  interactwithprocess: "submit",
  closestdin: "close",
  eof: "close",
  snapshot: "screen",
  view: "screen",
  grep: "search",
  find: "search",
};

/** Undefined for a name nobody knows. */
export function actionNamed(name: string): ProcessAction | undefined {
  const known: readonly string[] = processActions;
  const word = name.trim().toLowerCase();
  if (known.includes(word)) return word as ProcessAction; // just looked up
  const letters = word.replaceAll(/[^a-z]/g, "");
  return Object.hasOwn(actionsByName, letters) ? actionsByName[letters] : undefined;
}

type Renamed = Readonly<Record<string, { readonly to: string; readonly read?: (value: unknown) => unknown }>>;

/** In seconds with us, in milliseconds with most others. */
function seconds(value: unknown): unknown {
  const ms = typeof value === "string" ? Number(value) : value;
  return typeof ms === "number" && Number.isFinite(ms) ? ms / 1_000 : value;
}

export const terminalArguments: Renamed = {
  cmd: { to: "command" },
  script: { to: "command" },
  cwd: { to: "workdir" },
  working_directory: { to: "workdir" },
  run_in_background: { to: "background" },
  tty: { to: "pty" },
  timeout_ms: { to: "timeout", read: seconds },
  timeoutMs: { to: "timeout", read: seconds },
  yield_time_ms: { to: "timeout", read: seconds },
  notify_on_complete: { to: "notify" },
  watch_patterns: { to: "watch" },
  input: { to: "stdin" },
};

export const processArguments: Renamed = {
  process_id: { to: "id" },
  processId: { to: "id" },
  session_id: { to: "id" },
  sessionId: { to: "id" },
  task_id: { to: "id" },
  bash_id: { to: "id" },
  shell_id: { to: "id" },
  pid: { to: "id" },
  input: { to: "data" },
  chars: { to: "data" },
  text: { to: "data" },
  key: { to: "keys" },
  timeout_ms: { to: "timeout", read: seconds },
  timeoutMs: { to: "timeout", read: seconds },
  yield_time_ms: { to: "timeout", read: seconds },
  regex: { to: "pattern" },
  query: { to: "pattern" },
  filter: { to: "pattern" },
  lines: { to: "limit" },
};

/** What is given under its own name wins. */
export function ownNames(
  given: Readonly<Record<string, unknown>>,
  renamed: Renamed,
): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(renamed, name) ? renamed[name] : undefined;
    if (rule === undefined || Object.hasOwn(given, rule.to)) named[name] = value;
    else named[rule.to] = rule.read === undefined ? value : rule.read(value);
  }
  return named;
}
