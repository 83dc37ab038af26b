// What a daemon gets of the environment it is started from. It outlives that shell and serves every caller of the home:
// whatever is one caller's own (tokens, sockets, the settings of a virtual environment, Node options) stays behind.

const travels = [
  /^(?:HOME|PATH|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR)$/,
  /^LC_/,
  /^XDG_(?:CONFIG|DATA|STATE|CACHE)_HOME$/,
  /^XDG_RUNTIME_DIR$/,
  // Says who started it, so that it knows its supervisor; each names the process it is meant for, or is checked against the parent.
  /^(?:INVOCATION_ID|SYSTEMD_EXEC_PID|XPC_SERVICE_NAME|container|KUBERNETES_SERVICE_HOST)$/,
  // Configuration. HOLDFAST_RUN travels so that a daemon started inside a kept process knows to leave its tree.
  /^HOLDFAST_(?!SESSION$|TASK$)/,
];

export function daemonEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => travels.some((pattern) => pattern.test(name))),
  );
}
