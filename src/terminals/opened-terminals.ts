// Terminals that people open by a key: which process has a key, where it works, and with what shell. The key is a label of the process, so a later
// daemon finds it too.
import { realpath, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { basename } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import type { ProcessRecord } from "../store/index.ts";

// These take `-l`: a login shell reads what its user has set up for one.
const loginShells = new Set("bash zsh sh dash ash ksh mksh fish tcsh csh nu".split(" "));

/** The user's own, unless another is given. */
export function terminalShell(options: {
  readonly given: string | undefined;
  readonly configured: string | undefined;
  readonly login: string | undefined;
}): string[] {
  const { given, configured, login } = options;
  const shell = given ?? configured ?? login ?? userInfo().shell ?? "/bin/sh";
  return loginShells.has(basename(shell)) ? [shell, "-l"] : [shell];
}

/** As the file system knows it. @throws HoldfastError NOT_A_DIRECTORY */
export async function requireDirectory(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (error) {
    throw notADirectory(path, error);
  }
  throw notADirectory(path);
}

function notADirectory(path: string, cause?: unknown): HoldfastError {
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "it is no directory";
  return new HoldfastError("NOT_A_DIRECTORY", `No terminal can be opened in ${path}: ${reason}.`, {
    details: { path },
    cause,
  });
}

/** The one that works there still, by whatever path it was started. */
export async function isInDirectory(record: ProcessRecord, directory: string): Promise<boolean> {
  const own = await realpath(record.cwd).catch(() => record.cwd); // moved or removed since: then it is another one
  return own === directory;
}
