// What the file system says, with a code of ours.
import { HoldfastError, isHoldfastError } from "../protocol/errors.ts";

export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  const code = errnoOf(error);
  return code !== undefined && codes.includes(code);
}

/** One of ours as it is; anything else as SYSTEM_ERROR about a path. */
export function systemError(error: unknown, path: string): HoldfastError {
  if (isHoldfastError(error)) return error;
  const errno = errnoOf(error) ?? "unknown";
  return new HoldfastError("SYSTEM_ERROR", `${path} cannot be used: ${errno}`, {
    details: { path, errno },
    cause: error,
  });
}
