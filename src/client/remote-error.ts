// Errors of the daemon, made into errors of this side again.
import type { ErrorBody } from "../protocol/control.ts";
import { errorRegistry, HoldfastError, type ErrorCode } from "../protocol/errors.ts";

function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorRegistry, code);
}

/** A newer daemon may have codes that are unknown here: they come as INTERNAL, with the code in the details. */
export function errorFromBody(body: Partial<ErrorBody>): HoldfastError {
  const { code = "", message = "the daemon gave no message", hint, requestId } = body;
  const details = { ...body.details, ...(requestId === undefined ? {} : { requestId }) };
  const options = hint === undefined ? {} : { hint };
  if (isKnownCode(code)) return new HoldfastError(code, message, { ...options, details });
  return new HoldfastError("INTERNAL", message, { ...options, details: { ...details, code } });
}

/** The error in an answer whose status is not 200. */
export function errorFromAnswer(status: number, text: string): HoldfastError {
  const body = parseObject(text)?.["error"];
  if (typeof body === "object" && body !== null) return errorFromBody(body);
  return new HoldfastError("INTERNAL", `the daemon answered with status ${status} and no error`, {
    details: { status, body: text.slice(0, 1_000) },
  });
}

/** A JSON object, or undefined for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined; // just proven
  } catch {
    return undefined; // not JSON
  }
}
