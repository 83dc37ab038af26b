// Tests that may be skipped, each with the reason. Any other skip fails the run: a skip nobody listed is a test
// nobody runs.

export interface ListedSkip {
  readonly file: string;
  /** Full title; absent when the whole file may skip. */
  readonly title?: string;
  readonly reason: string;
}

export interface ReportedTest {
  readonly file: string;
  readonly title: string;
  /** As vitest reports it: passed, failed, or one of the ways not to run. */
  readonly status: string;
}

const needsConfinement = "needs Linux 6.12 with Landlock and mount namespaces";

export const listedSkips: readonly ListedSkip[] = [
  ...[
    "test/keeper/confine-write.test.ts",
    "test/keeper/confine-reach.test.ts",
    "test/keeper/confine-kept.test.ts",
    "test/processes/confine.test.ts",
    "test/processes/confine-required.test.ts",
    "test/cli/confine.test.ts",
  ].map((file) => ({ file, reason: needsConfinement })),
  {
    file: "test/notifications/full-disk.test.ts",
    reason: "needs root: a small tmpfs that is filled up",
  },
  {
    file: "test/processes/watch-disk.test.ts",
    reason: "needs root: a small tmpfs that is filled up",
  },
  {
    file: "test/keeper/start-failure.test.ts",
    title: "no more terminals is told, and the id stays free",
    reason: "needs root: a devpts of two terminals in a mount namespace of its own",
  },
  {
    file: "test/keeper/output-disk-full.test.ts",
    reason: "needs root: a small tmpfs that is filled up",
  },
  {
    file: "test/keeper/socket-path.test.ts",
    title: "a client of another user is closed at once, even if the file modes let it in",
    reason: "needs root: becomes another user",
  },
  {
    file: "test/daemon/doctor.test.ts",
    title: "a home on a file system that runs no programs is told although no daemon can start there",
    reason: "needs root: a tmpfs that is mounted noexec",
  },
  {
    file: "test/daemon/install.test.ts",
    title: "root is told whose unit it is",
    reason: "needs root: only root is told",
  },
  {
    file: "test/daemon/systemd-hand-over.test.ts",
    reason: "needs root, systemd and a writable cgroup: a service manager of the test's own",
  },
  {
    file: "test/daemon/systemd-restart.test.ts",
    reason: "needs root, systemd and a writable cgroup: a service manager of the test's own",
  },
  {
    file: "test/daemon/systemd-stop.test.ts",
    reason: "needs root, systemd and a writable cgroup: a service manager of the test's own",
  },
  {
    file: "test/daemon/home-disk.test.ts",
    reason: "needs root: a small tmpfs that is filled up or remounted read-only",
  },
  {
    file: "test/daemon/replace-refused.test.ts",
    title: "an owner that not even SIGKILL ends stays the only one: DAEMON_STUCK, and no marker is left",
    reason: "needs root and the freezer of cgroup v1",
  },
  {
    file: "test/daemon/replace-refused.test.ts",
    title: "an owner in another container is refused and not touched",
    reason: "needs root: a PID namespace of its own",
  },
  {
    file: "test/daemon/replace-refused.test.ts",
    title: "another user's daemon may not be signalled: told, and the marker is taken back",
    reason: "needs root: becomes another user",
  },
  {
    file: "test/daemon/foreign.test.ts",
    reason: "needs root: PID and mount namespaces of its own",
  },
  {
    file: "test/daemon/stale.test.ts",
    title: "when a stranger has its pid by now, and that stranger is left alone",
    reason: "needs root: chooses the number of the next process",
  },
  {
    file: "test/daemon/status-disk.test.ts",
    reason: "needs root: a tmpfs that is filled up or remounted read-only",
  },
  {
    file: "test/daemon/log-disk.test.ts",
    reason: "needs root: a tmpfs that is filled up or remounted read-only",
  },
  {
    file: "test/locks/disk.test.ts",
    reason: "needs root: a small tmpfs that is filled up, or remounted read-only",
  },
  {
    file: "test/recovery/disk-full.test.ts",
    reason: "needs root: a small tmpfs that is filled up",
  },
  {
    file: "test/recovery/read-only.test.ts",
    reason: "needs root: a tmpfs that is remounted read-only",
  },
  {
    file: "test/recovery/read-only-passes.test.ts",
    reason: "needs root: a tmpfs that is filled up or remounted read-only",
  },
  {
    file: "test/store/disk-full.test.ts",
    reason: "needs root: a small tmpfs that is filled up",
  },
  {
    file: "test/store/read-only.test.ts",
    reason: "needs root: a tmpfs that is remounted read-only",
  },
];

/** Tests that did not run although nobody listed them. */
export function findUnlistedSkips(
  tests: readonly ReportedTest[],
  listed: readonly ListedSkip[] = listedSkips,
): ReportedTest[] {
  return tests.filter((test) => {
    if (test.status === "passed" || test.status === "failed") return false;
    return !listed.some((skip) => skip.file === test.file && (skip.title ?? test.title) === test.title);
  });
}
