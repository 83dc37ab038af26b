// `holdfast logs ID | head`: whoever reads has enough. Said as a shell says it, without a word.

const brokenPipeExitCode = 141; // 128 + SIGPIPE

let beforeExit: () => Promise<void> = () => Promise.resolve();

/** What is to be done first when nobody reads standard output any more. */
export function onBrokenPipe(work: () => Promise<void>): void {
  beforeExit = work;
}

export function exitOnBrokenPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    void leave();
  });
  // Nothing can be told there any more; the work itself goes on.
  process.stderr.on("error", () => undefined);
}

async function leave(): Promise<void> {
  await beforeExit();
  process.exit(brokenPipeExitCode);
}
