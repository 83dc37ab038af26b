// Verbs for many processes: one failure does not stop the rest, and is told after them.
import { errorRegistry, type ErrorCode } from "../protocol/errors.ts";
import type { Cli } from "./context.ts";

export interface PartFailure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Tells each failure, the next step of each kind once, and returns the exit code: that of the first. */
export function tellPartFailures(cli: Cli, failures: readonly PartFailure[], isJson: boolean): number {
  const [first] = failures;
  if (first === undefined) return 0;
  if (!isJson) {
    for (const { code, message } of failures) cli.note(`holdfast: ${message} [${code}]`);
    for (const hint of new Set(failures.map((failure) => failure.hint))) cli.note(hint);
  }
  return errorRegistry[first.code].exitCode;
}

/** A code of the daemon's; one that is unknown here is a newer daemon's. */
export function knownCode(code: string): ErrorCode {
  return Object.hasOwn(errorRegistry, code) ? (code as ErrorCode) : "INTERNAL"; // just looked up
}
