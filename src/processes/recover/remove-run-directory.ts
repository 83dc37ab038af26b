// Takes the directory of a run away, whoever still writes into it by its name: the thread of the terminals may be keeping a screen there.
import { rename, rm } from "node:fs/promises";
import { runDirectory } from "../../keeper/index.ts";
import { isMissingFile } from "../../keeper/system-error.ts";
import { ownRunPrefix } from "../start/run-to-end.ts";

/**
 * Moved out of the way first: a file that is made while the others go would keep the directory. What is left by a daemon that dies here is
 * removed by the next one.
 */
export async function removeRunDirectory(home: string, id: string): Promise<void> {
  const going = runDirectory(home, ownRunPrefix + id);
  try {
    await rename(runDirectory(home, id), going);
  } catch (error) {
    if (isMissingFile(error)) return; // never claimed, or removed by hand
    throw error;
  }
  await rm(going, { recursive: true, force: true });
}
