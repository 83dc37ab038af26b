// Waits for a file, also one whose directory comes later, goes, or is made again.
import { watch, type FSWatcher } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { HoldfastError } from "../../protocol/errors.ts";

/** Resolves when something has this name. @throws HoldfastError INVALID_ARGUMENT, or the signal's reason */
export async function watchFile(path: string, signal: AbortSignal): Promise<undefined> {
  signal.throwIfAborted();
  const appeared = Promise.withResolvers<undefined>();
  let watchers: FSWatcher[] = [];
  const close = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const look = (): void => {
    close();
    try {
      watchers = watchWay(resolve(path), look);
    } catch (error) {
      appeared.reject(error);
    }
    // After that: what comes from here on is told.
    stat(path).then(
      () => appeared.resolve(undefined),
      () => undefined, // not there yet
    );
  };
  const giveUp = (): void => appeared.reject(signal.reason as Error);
  signal.addEventListener("abort", giveUp, { once: true });
  look();
  try {
    return await appeared.promise;
  } finally {
    close();
    signal.removeEventListener("abort", giveUp);
  }
}

/**
 * Watches every directory on the way as far as there are any, from the first on: whichever of them comes, goes or is moved, the one it lies
 * in tells it.
 */
function watchWay(path: string, onChange: () => void): FSWatcher[] {
  const watchers: FSWatcher[] = [];
  let problem: unknown;
  for (const { directory, name } of stepsTo(path)) {
    try {
      const watcher = watch(directory, (_kind, changed) => {
        if (changed === null || changed === name) onChange();
      });
      watcher.on("error", () => undefined); // it went, as the directory it lay in tells
      watchers.push(watcher);
      problem = undefined;
    } catch (error) {
      if (isAbsent(error)) break;
      problem = error; // one that may be passed through, but not read, matters only if it is the last
    }
  }
  if (problem === undefined) return watchers;
  for (const watcher of watchers) watcher.close();
  throw new HoldfastError("INVALID_ARGUMENT", `The directory of ${path} cannot be watched.`, {
    cause: problem,
  });
}

interface Step {
  readonly directory: string;
  /** What of it leads on. */
  readonly name: string;
}

function stepsTo(path: string): Step[] {
  const steps: Step[] = [];
  for (let at = path; at !== dirname(at); at = dirname(at))
    steps.unshift({ directory: dirname(at), name: basename(at) });
  return steps;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
