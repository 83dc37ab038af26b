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

export const listedSkips: readonly ListedSkip[] = [
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
    file: "test/recovery/disk-full.test.ts",
    reason: "needs root: a small tmpfs that is filled up",
  },
  {
    file: "test/recovery/read-only.test.ts",
    reason: "needs root: a tmpfs that is remounted read-only",
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
