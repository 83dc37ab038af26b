// How a daemon ends, as its parent sees it: the command line, a unit of systemd, a launchd job, a container.

export const daemonExitCode = {
  /** It was meant to: a stop, a takeover, SIGINT; or it was started again outside the kept process it was started in. */
  done: 0,
  /** It could not start, for a reason that may pass. */
  failed: 1,
  /** Another daemon has this home, or was quicker to take it over. */
  anotherRuns: 69,
  /** An error nobody foresaw. */
  internal: 70,
  /** It asks its service manager to start it again. */
  restart: 75,
  /** Configuration or store of the home are not for this build: starting it again changes nothing. */
  configuration: 78,
  /** SIGTERM that nobody announced: 128 + 15, so that a service manager brings it back. */
  terminated: 143,
} as const;

export type DaemonExitCode = (typeof daemonExitCode)[keyof typeof daemonExitCode];
