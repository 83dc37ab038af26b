// An error as JSON-RPC has it, with the codes of ACP.
import { isHoldfastError, type ErrorCode, type HoldfastError } from "../protocol/errors.ts";

export const rpcCode = {
  invalidParams: -32602,
  internal: -32603,
  notFound: -32002,
  cancelled: -32800,
} as const;

/** The RequestError of any ACP SDK fits: only an error of its own class keeps its code there. */
export type RequestErrorClass = new (code: number, message: string, data?: unknown) => Error;

export class AcpRequestError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = "AcpRequestError";
    this.code = code;
    this.data = data;
  }
}

const invalid: ReadonlySet<ErrorCode> = new Set(["INVALID_ARGUMENT", "REQUEST_TOO_LARGE", "CONFIG_INVALID"]);
const missing: ReadonlySet<ErrorCode> = new Set(["PROCESS_NOT_FOUND", "RUN_NOT_FOUND", "OUTPUT_TRIMMED"]);

/** What went wrong and what to do, in one message: most agents show their model nothing else. */
export function asRequestError(
  error: unknown,
  RequestError: RequestErrorClass,
  signal: AbortSignal | undefined,
): unknown {
  if (error instanceof RequestError) return error;
  if (signal?.aborted === true) return new RequestError(rpcCode.cancelled, "Request cancelled");
  if (!isHoldfastError(error)) return error;
  const { code, message, hint, details } = error;
  return new RequestError(rpcCodeOf(error), `${message} [${code}] ${hint}`, { code, hint, details });
}

function rpcCodeOf({ code }: HoldfastError): number {
  if (invalid.has(code)) return rpcCode.invalidParams;
  return missing.has(code) ? rpcCode.notFound : rpcCode.internal;
}
