// Errors between threads: a class does not survive the way, its code and message do.
import { errorRegistry, HoldfastError, isHoldfastError, type ErrorCode } from "./errors.ts";

/** An error on its way between threads. */
export interface Failure {
  readonly code: ErrorCode | null;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function toFailure(error: unknown): Failure {
  if (isHoldfastError(error)) return { code: error.code, message: error.message, details: error.details };
  return { code: null, message: error instanceof Error ? error.message : String(error), details: {} };
}

export function ofFailure({ code, message, details }: Failure): Error {
  return code === null || !isKnown(code) ? new Error(message) : new HoldfastError(code, message, { details });
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(errorRegistry, code);
}
