// The directory of a home, made when it is not there.
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { HoldfastError } from "../protocol/errors.ts";

/** With what lies above it, 0700. @throws HoldfastError HOME_UNUSABLE */
export function makeHome(home: string): void {
  try {
    makeDirectory(home);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new HoldfastError("HOME_UNUSABLE", `${home} cannot be a home: ${reason}`, {
      details: { home },
      cause: error,
    });
  }
}

/** Not the recursive form of mkdir: where a directory that is there takes no new ones (/proc), Node's tries again for ever. */
function makeDirectory(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw new Error(`${path} is no directory`);
  if (dirname(path) !== path) makeDirectory(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Somebody else was quicker.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
