// A run directory as a whole, read with no keeper and no launcher (CONTRACT.md §2).
import { access, open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ExitRecord } from "../protocol/exit.ts";
import { HoldfastError } from "../protocol/errors.ts";
import { readExitRecord } from "./exit-record.ts";
import { readKeeperFile, type KeeperFile } from "./keeper-file.ts";
import { listSegments, type Segment } from "./segments.ts";
import { readSpec, type RunSpec } from "./spec-file.ts";
import { hasErrorCode, isMissingFile } from "./system-error.ts";

export interface RunDirectory {
  readonly directory: string;
  readonly spec: RunSpec;
  readonly keeper: KeeperFile | undefined;
  /** Undefined: not ended as far as this directory tells. */
  readonly exit: ExitRecord | undefined;
  readonly segments: readonly Segment[];
  /** A start that was given up: never listed. */
  readonly isAbandoned: boolean;
}

const idPattern = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/;

/** @throws HoldfastError INVALID_ARGUMENT unless the id can name a run */
export function checkRunId(id: string): void {
  if (idPattern.test(id)) return;
  const message = `${JSON.stringify(id)} is no run id: 1-64 of A-Z a-z 0-9 _ - are, not beginning with "-".`;
  throw new HoldfastError("INVALID_ARGUMENT", message, { details: { id } });
}

export function runsDirectory(home: string): string {
  return join(home, "runs");
}

export function runDirectory(home: string, id: string): string {
  return join(home, "runs", id);
}

/** @throws HoldfastError RUN_NOT_FOUND, RUN_DAMAGED */
export async function readRunDirectory(directory: string): Promise<RunDirectory> {
  const spec = await readSpec(directory);
  const [keeper, exit, segments, isAbandoned] = await Promise.all([
    readKeeperFile(directory),
    readExitRecord(directory),
    listSegments(directory),
    exists(join(directory, "abandoned")),
  ]);
  return { directory, spec, keeper, exit, segments, isAbandoned };
}

/** Whoever keeps a run has a socket there and takes it along when it leaves. One that was killed leaves it behind: then reaching it tells. */
export async function mayHaveKeeper(directory: string): Promise<boolean> {
  return await exists(join(directory, "sock"));
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false; // whatever hides it, it cannot be seen
  }
}

export async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}

/** Marks the run as given up. False if there is no such run. */
export async function markAbandoned(directory: string): Promise<boolean> {
  try {
    await (await open(join(directory, "abandoned"), "a", 0o600)).close();
    return true;
  } catch (error) {
    if (isMissingFile(error)) return false;
    // Without room for a file the stop that follows still ends it; it is then listed, as stopped.
    if (hasErrorCode(error, "ENOSPC")) return true;
    throw error;
  }
}
