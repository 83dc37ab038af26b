// Where the locks of this user on this machine are, whatever home somebody uses.
import { mkdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";
import { pendingFolder } from "./file-names.ts";
import { systemError } from "./system-error.ts";

/**
 * HOLDFAST_LOCK_DIR, else holdfast/locks under XDG_STATE_HOME, else under ~/.local/state.
 * @throws HoldfastError INVALID_ARGUMENT for a HOLDFAST_LOCK_DIR that means another place to everybody who reads it
 */
export function lockDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const chosen = environment["HOLDFAST_LOCK_DIR"];
  if (chosen) {
    if (isAbsolute(chosen)) return chosen;
    throw new HoldfastError(
      "INVALID_ARGUMENT",
      `HOLDFAST_LOCK_DIR is "${chosen}", which is no absolute path`,
    );
  }
  const state = environment["XDG_STATE_HOME"];
  // The XDG rules: a relative one counts as not set.
  const base = state && isAbsolute(state) ? state : join(environment["HOME"] || homedir(), ".local/state");
  return join(base, "holdfast/locks");
}

/** Makes it (0700), with what belongs in it, where it is missing. @throws HoldfastError LOCK_DIRECTORY_UNSAFE, SYSTEM_ERROR */
export async function openLockDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const { uid, mode } = await stat(directory);
    if (uid === process.geteuid?.() && (mode & 0o022) === 0) {
      await mkdir(join(directory, pendingFolder), { recursive: true, mode: 0o700 });
      return;
    }
  } catch (error) {
    throw systemError(error, directory);
  }
  throw new HoldfastError("LOCK_DIRECTORY_UNSAFE", `${directory} can be written by others than you`, {
    hint: `Make it yours alone (chmod 700), or choose another one with HOLDFAST_LOCK_DIR.`,
    details: { directory },
  });
}
