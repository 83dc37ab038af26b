// Questions about errors of the operating system.

/** Does the error say that the file, or a directory on the way to it, is not there? */
export function isMissingFile(error: unknown): boolean {
  return hasErrorCode(error, "ENOENT") || hasErrorCode(error, "ENOTDIR");
}

/** Is this the operating system's error with this name? */
export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
