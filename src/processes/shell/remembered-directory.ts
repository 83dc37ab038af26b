// The directory a session remembers may be gone when its next command comes.
import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";

async function canEnter(directory: string): Promise<boolean> {
  try {
    await access(directory, constants.X_OK);
    return (await stat(directory)).isDirectory();
  } catch {
    return false; // gone, or not ours to enter
  }
}

/** The directory itself, or the nearest one above it that can be entered. */
export async function nearestDirectory(directory: string): Promise<string> {
  for (let at = directory; at !== dirname(at); at = dirname(at)) if (await canEnter(at)) return at;
  return "/";
}
