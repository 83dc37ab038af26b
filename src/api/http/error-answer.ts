// From any error to what a caller is told. Only a HoldfastError tells its message; of anything else the caller learns
// the request id, and the log the rest.
import { errorRegistry, HoldfastError, type ErrorCode } from "../../protocol/errors.ts";
import type { ErrorBody } from "../../protocol/control.ts";

/** Told of every error that is answered; whether it is worth a word is not decided here. */
export type ReportError = (error: HoldfastError, requestId: string) => void;

interface LibraryError {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly message?: unknown;
}

/** An error of Fastify about the request itself, as one of ours; anything else as INTERNAL. */
function toHoldfastError(error: unknown): HoldfastError {
  if (error instanceof HoldfastError) return error;
  const { code, statusCode, message } = (error ?? {}) as LibraryError; // every field is unknown until it is looked at
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new HoldfastError("REQUEST_TOO_LARGE", "the body is larger than 16 MiB", { cause: error });
  }
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new HoldfastError("INVALID_ARGUMENT", "the body is not announced as application/json", {
      hint: "Send the header content-type: application/json.",
      cause: error,
    });
  }
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) {
    return new HoldfastError("INVALID_ARGUMENT", `the request cannot be read: ${String(message)}`, {
      cause: error,
    });
  }
  return new HoldfastError("INTERNAL", "something went wrong inside the daemon", { cause: error });
}

export function errorBodyOf(thrown: unknown, requestId: string, report: ReportError): ErrorBody {
  const error = toHoldfastError(thrown);
  report(error, requestId);
  const { code, message, hint, details } = error;
  return { code, message, hint, details: { ...details }, requestId };
}

export function statusOf(body: ErrorBody): number {
  return errorRegistry[body.code as ErrorCode].httpStatus; // made above, from a HoldfastError
}
