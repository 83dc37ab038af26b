// A daemon that could not start: what its parent is told.
import { daemonExitCode, type DaemonExitCode } from "../home/index.ts";
import { HoldfastError, isHoldfastError, type ErrorCode } from "../protocol/errors.ts";

const anotherHasTheHome: readonly ErrorCode[] = [
  "DAEMON_RUNNING",
  "DAEMON_FOREIGN",
  "DAEMON_DENIED",
  "DAEMON_UNPROVEN",
  "DAEMON_STUCK",
];
// Another try would end the same way, so a service manager should make none.
const notForThisBuild: readonly ErrorCode[] = [
  "CONFIG_INVALID",
  "HOME_UNUSABLE",
  "STORE_TOO_NEW",
  "UNSUPPORTED_PLATFORM",
];

export function exitCodeOfFailure(error: unknown): DaemonExitCode {
  if (isHoldfastError(error, ...anotherHasTheHome)) return daemonExitCode.anotherRuns;
  if (isHoldfastError(error, ...notForThisBuild)) return daemonExitCode.configuration;
  return daemonExitCode.failed;
}

/** On standard error, as the command line tells errors; as JSON for a program that started us. */
export function tellFailure(thrown: unknown, isForProgram: boolean): void {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const error = isHoldfastError(thrown) ? thrown : new HoldfastError("INTERNAL", message, { cause: thrown });
  const { code, hint, details } = error;
  process.stderr.write(
    isForProgram
      ? `${JSON.stringify({ error: { code, message, hint, details } })}\n`
      : `holdfast: ${message} [${code}]\n${hint}\n`,
  );
}
